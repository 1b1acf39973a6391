import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, type Database, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { auditQuotaRefusal } from '@millwright/http';
import type { Models } from '@millwright/models';
import type { ContextStore, OpenedContext } from './contexts.store.js';
import { requireFits } from './instructions.js';
import type { AgentMessage, Progress } from './messages.contract.js';
import type { RunService } from './run.service.js';

/** One message of a user to an agent. */
export interface AgentRequest {
  caller: Caller;
  agent: RunnableAgent;
  content: string;
  /** Conversation that the message continues; without it the message begins one. */
  contextId: string | undefined;
  /** Shared by the retries of one request and by no other request. */
  idempotencyKey?: string | undefined;
  /** Writes that belong into the transaction that stores the message. */
  alongside?: ((tx: Tx, contextId: string) => Promise<void>) | undefined;
}

/** A stored message that waits for its answer. */
export interface OpenRequest extends Pick<AgentRequest, 'caller' | 'agent' | 'content' | 'idempotencyKey'> {
  context: OpenedContext;
  model: string;
}

export interface AnswerOptions {
  /** Receives each step as it happens; the model then streams its text. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Ends the run before its next call of the model or a tool. Left out, the run outlives its client, and the conversation shows the answer. */
  signal?: AbortSignal | undefined;
}

/** Runs `store` in a transaction, together with writes that belong to the caller's protocol. */
export type Commit<Result> = (store: (tx: Tx) => Promise<AgentMessage>) => Promise<Result>;

export interface AskAgentDeps {
  db: Database;
  models: Models;
  contexts: ContextStore;
  runs: RunService;
}

/** Sends messages to agents. HTTP, A2A and the built-in MCP server all use it. */
export function createAskAgentService({ db, models, contexts, runs }: AskAgentDeps) {
  /**
   * Checks the message and stores it, before the model is called: it is not lost when no model answers.
   *
   * @throws AppError validation_error for a stopped agent or a message too long for its model; not_found for an unknown conversation.
   */
  async function open({ alongside, contextId, ...request }: AgentRequest): Promise<OpenRequest> {
    const { caller, agent, content, idempotencyKey } = request;
    if (agent.status !== 'active') throw invalidField('agent_name', 'is stopped');
    const model = agent.model ?? models.defaultModel;
    await requireFits(agent, content, models.contextWindow(model));
    // A2A and the built-in MCP server have no router that audits the refusals of quotas.
    const context = await contexts
      .open(caller, agent, { content, contextId, idempotencyKey }, alongside)
      .catch(auditQuotaRefusal(db, caller));
    return { ...request, context, model };
  }

  /**
   * Runs the agent and stores its answer.
   *
   * @throws AppError unavailable; not_found when the agent was deleted meanwhile; the signal's reason.
   */
  async function answer<Result>(
    request: OpenRequest,
    { onProgress, signal }: AnswerOptions,
    commit: Commit<Result>,
  ): Promise<Result> {
    const { caller, agent, content, context, model, idempotencyKey } = request;
    onProgress?.({
      event: 'message.started',
      data: { agent: agent.slug, context_id: encodeId('ctx', context.id) },
    });
    const run = { caller, agent, context, content, model, idempotencyKey, onProgress, signal };
    const said = await runs.run(run).catch(async (error: unknown) => {
      // Without the mark, which needs the database, the message counts as one that waits. A canceled run has not failed.
      if (!signal?.aborted) await contexts.markFailed(context.messageId).catch(() => undefined);
      throw namingContext(error, context.id);
    });
    return commit((tx) => contexts.answer(tx, agent, context.id, said));
  }

  return {
    open,
    answer,

    /** Opens and answers a request, and stores the answer in a transaction of its own. */
    async ask(request: AgentRequest, options: AnswerOptions = {}): Promise<AgentMessage> {
      return answer(await open(request), options, (store) => db.transaction(store));
    },
  };
}

/** The response header of a failure that names the conversation in which the message is stored. */
export const CONTEXT_HEADER = 'X-Context-Id';

/** The failure of a run, with the conversation that a retry continues. A deleted agent leaves none. */
function namingContext(error: unknown, contextId: string): unknown {
  if (!(error instanceof AppError) || error.code === 'not_found') return error;
  const { code, fields, retryAfter, headers } = error;
  return new AppError(code, {
    cause: error,
    fields,
    ...(retryAfter !== undefined && { retryAfter }),
    headers: { ...headers, [CONTEXT_HEADER]: encodeId('ctx', contextId) },
  });
}
export type AskAgentService = ReturnType<typeof createAskAgentService>;
