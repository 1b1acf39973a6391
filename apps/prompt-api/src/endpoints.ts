import type { Database } from '@millwright/db';
import type { Route } from '@millwright/http';
import type { Models } from '@millwright/models';
import { artifactRoutes } from './artifacts/artifacts.routes.js';
import { createArtifactStore } from './artifacts/artifacts.store.js';
import { blockRoutes } from './blocks/blocks.routes.js';
import { createBlockStore } from './blocks/blocks.store.js';
import { conversationRoutes } from './conversations/conversations.routes.js';
import { createConversationStore } from './conversations/conversations.store.js';
import { createReferenceStore } from './references/references.store.js';
import { promptRoutes } from './prompts/prompts.routes.js';
import { createPromptService } from './prompts/prompts.service.js';
import { createPromptStore } from './prompts/prompts.store.js';
import { createRenderService } from './runs/render.service.js';
import { createRunService } from './runs/run.service.js';
import { runRoutes } from './runs/runs.routes.js';
import type { SchemaValidator } from '@millwright/schemas';
import { userRoutes } from './users/users.routes.js';
import { createUserStore } from './users/users.store.js';
import { createVersionChoice } from './versions/choose-version.js';
import { versionRoutes } from './versions/versions.routes.js';
import { createVersionStore } from './versions/versions.store.js';

/** Every endpoint that area D serves. */
export function createRoutes(db: Database, models: Models, validator: SchemaValidator): Route[] {
  const prompts = createPromptStore(db);
  const conversations = createConversationStore(db);
  const blocks = createBlockStore(db);
  const renderer = createRenderService(validator, blocks, createReferenceStore(db));
  const runner = createRunService(models, renderer, validator, conversations);
  const versions = createVersionStore(db);
  const service = createPromptService(prompts, validator);
  return [
    ...promptRoutes(prompts, service),
    ...versionRoutes(versions, service),
    ...runRoutes({ versions: createVersionChoice(prompts, versions), conversations, renderer, runner }),
    ...conversationRoutes(conversations),
    ...artifactRoutes(createArtifactStore(db)),
    ...blockRoutes(blocks),
    ...userRoutes(createUserStore(db)),
  ];
}
