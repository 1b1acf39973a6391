import { route, type Route } from '@millwright/http';
import { createEmbeddings } from './embeddings.contract.js';
import type { EmbeddingService } from './embeddings.service.js';

export const embeddingRoutes = (service: EmbeddingService): Route[] => [
  route(createEmbeddings, async ({ caller, body }) => ({ body: await service.embed(caller, body) })),
];
