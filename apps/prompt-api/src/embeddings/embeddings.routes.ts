import { route, type Route } from '@millwright/http';
import { createEmbeddings } from './embeddings.contract.js';
import type { EmbeddingService } from './embeddings.service.js';

export const embeddingRoutes = (service: EmbeddingService): Route[] => [
  route(createEmbeddings, async ({ caller, body, idempotencyKey, commit }) => {
    const list = await service.embed(caller, body, idempotencyKey);
    return commit(() => Promise.resolve({ body: list }));
  }),
];
