import type { Spending } from '@millwright/budgets';
import type { Database } from '@millwright/db';
import type { ExtractionBudget } from '@millwright/documents';
import type { Route } from '@millwright/http';
import type { Work } from '@millwright/http/process';
import type { ProjectModels } from '@millwright/models';
import { agentRoutes } from './agents/agents.routes.js';
import { createAgentStore } from './agents/agents.store.js';
import { artifactRoutes } from './artifacts/artifacts.routes.js';
import { createArtifactStore } from './artifacts/artifacts.store.js';
import { blockRoutes } from './blocks/blocks.routes.js';
import { changeRoutes } from './changes/changes.routes.js';
import type { AgentRuns } from './chat/agent-runs.js';
import { chatRoutes } from './chat/chat.routes.js';
import { createChatService } from './chat/chat.service.js';
import { embeddingRoutes } from './embeddings/embeddings.routes.js';
import { createEmbeddingService } from './embeddings/embeddings.service.js';
import type { AskFilter } from '@millwright/guards';
import { createPromptGuards } from './guards/prompt-guards.js';
import { createBlockStore } from './blocks/blocks.store.js';
import { createRequireReadableBlocks } from './prompts/require-readable-blocks.js';
import { conversationRoutes } from './conversations/conversations.routes.js';
import { createConversationStore } from './conversations/conversations.store.js';
import { createRequireContinuable } from './conversations/require-continuable.js';
import { createDraftRuns } from './drafts/draft-runs.service.js';
import { draftRoutes } from './drafts/drafts.routes.js';
import { createDraftService } from './drafts/drafts.service.js';
import { createReferenceStore } from './references/references.store.js';
import { createFileReader } from './models/file-reader.js';
import { modelRoutes } from './models/models.routes.js';
import { createNamedModelStore } from './models/named-models.store.js';
import { messageRoutes } from './messages/messages.routes.js';
import { openAiConversationRoutes } from './openai-conversations/openai-conversations.routes.js';
import { promptRoutes } from './prompts/prompts.routes.js';
import { createPromptService } from './prompts/prompts.service.js';
import { createPromptStore } from './prompts/prompts.store.js';
import { createAgentResponses } from './responses/agent-responses.js';
import { createNamedServerStore } from './responses/named-servers.store.js';
import { createBackground } from './responses/background.js';
import { responseRoutes } from './responses/responses.routes.js';
import { createToolResponses } from './responses/tool-responses.js';
import { createResponseService } from './responses/responses.service.js';
import { createResponseStore } from './responses/responses.store.js';
import { createRenderService } from './runs/render.service.js';
import type { PromptRuns } from './runs/prompt-runs.js';
import { createRunService } from './runs/run.service.js';
import { createUsageStore } from './runs/runs.store.js';
import { runRoutes } from './runs/runs.routes.js';
import type { SchemaValidator } from '@millwright/schemas';
import { userRoutes } from './users/users.routes.js';
import { createUserStore } from './users/users.store.js';
import { createVersionChoice } from './prompts/choose-version.js';
import { versionRoutes } from './prompts/versions.routes.js';
import { createVersionStore } from './prompts/versions.store.js';

export interface RouteDeps {
  db: Database;
  models: ProjectModels;
  validator: SchemaValidator;
  promptRuns: PromptRuns;
  agentRuns: AgentRuns;
  work: Pick<Work, 'track'>;
  /** Calls external guards. */
  askFilter: AskFilter;
  spending: Pick<Spending, 'reserve'>;
  /** Whether new agents have a public card. */
  publishedByDefault: boolean;
  /** Limits of the time and memory of the thread that reads a document. */
  extraction?: ExtractionBudget | undefined;
}

/** Creates every endpoint of the prompt API. */
export function createRoutes({
  db,
  models,
  validator,
  promptRuns,
  agentRuns,
  work,
  askFilter,
  spending,
  publishedByDefault,
  extraction,
}: RouteDeps): Route[] {
  const prompts = createPromptStore(db);
  const conversations = createConversationStore(db);
  const requireContinuable = createRequireContinuable(db);
  const blocks = createBlockStore(db);
  const requireReadableBlocks = createRequireReadableBlocks(db, blocks);
  const renderer = createRenderService(validator, blocks, createReferenceStore(db));
  const openGuards = createPromptGuards(db, askFilter);
  const runner = createRunService(models, renderer, validator, promptRuns);
  const versions = createVersionStore(db);
  const choice = createVersionChoice(prompts, versions);
  const named = createNamedModelStore(db);
  const responses = createResponseStore(db);
  const fileReader = createFileReader(extraction);
  const responder = createResponseService({
    models,
    choice,
    named,
    conversations,
    requireContinuable,
    responses,
    runner,
    openGuards,
    validator,
    fileReader,
  });
  const chat = createChatService({
    models,
    choice,
    named,
    runner,
    agents: agentRuns,
    openGuards,
    validator,
    fileReader,
  });
  const service = createPromptService(prompts, validator);
  return [
    ...promptRoutes({ prompts, service, versions, requireReadableBlocks }),
    ...versionRoutes(versions, service),
    ...runRoutes({
      choice,
      versions,
      conversations,
      requireContinuable,
      requireReadableBlocks,
      renderer,
      runner,
      openGuards,
      usage: createUsageStore(db),
    }),
    ...draftRoutes(
      createDraftService(service, renderer),
      createDraftRuns({ models, prompts, service, runner, openGuards, requireReadableBlocks }),
    ),
    ...modelRoutes(models, named),
    ...chatRoutes(chat),
    ...messageRoutes(chat),
    ...embeddingRoutes(createEmbeddingService({ db, models, spending, openGuards })),
    ...responseRoutes({
      db,
      responses,
      conversations,
      service: responder,
      agents: createAgentResponses(agentRuns, fileReader),
      tools: createToolResponses({
        ...{ db, agents: agentRuns, service: responder, responses, renderer, requireContinuable },
        servers: createNamedServerStore(db),
      }),
      runs: promptRuns,
      background: createBackground(work),
    }),
    ...conversationRoutes(conversations),
    ...openAiConversationRoutes(conversations, openGuards, fileReader),
    ...agentRoutes(createAgentStore(db, publishedByDefault)),
    ...artifactRoutes(createArtifactStore(db)),
    ...blockRoutes(blocks),
    ...changeRoutes({ db, blocks, prompts, service, versions, requireReadableBlocks }),
    ...userRoutes(createUserStore(db)),
  ];
}
