import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { Database, Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { requireFound, route, type Reply, type Route } from '@millwright/http';
import type { ConversationStore } from '../conversations/conversations.store.js';
import { messageOfItem, pageOfItems } from '../conversations/items.js';
import type { PromptRuns } from '../runs/prompt-runs.js';
import type { Background } from './background.js';
import { responseEvents } from './response-events.js';
import { responseUuid, withEnd } from './response-object.js';
import * as contract from './responses.contract.js';
import type { ResponseObject } from './responses.contract.js';
import { agentOf, type AgentResponses } from './agent-responses.js';
import type { AnswerRequest, ResponseService } from './responses.service.js';
import type { ResponseStore } from './responses.store.js';
import { ranTools, runsTools, type ToolResponses } from './tool-responses.js';

export interface ResponseRoutesDeps {
  db: Pick<Database, 'transaction'>;
  responses: ResponseStore;
  conversations: Pick<ConversationStore, 'page'>;
  service: ResponseService;
  agents: AgentResponses;
  tools: ToolResponses;
  runs: Pick<PromptRuns, 'status' | 'ended' | 'cancel'>;
  background: Background;
}

/** A signal that never aborts, for work that continues without its client. */
const NEVER = new AbortController().signal;

type Commit = (work: (tx: Tx) => Promise<Reply>) => Promise<Reply>;

export function responseRoutes({
  db,
  responses,
  conversations,
  service,
  agents,
  tools,
  runs,
  background,
}: ResponseRoutesDeps): Route[] {
  /**
   * Answers a request with `background`. Without a stream, the answer is sent as soon as the response is stored as in progress. With a stream, it is
   * sent when the response has ended.
   */
  function answerInBackground(request: AnswerRequest, commit: Commit): Promise<Reply> {
    const { caller, events } = request;
    const begun = Promise.withResolvers<Reply>();
    const onStart = async (started: Parameters<typeof service.begin>[2]) => {
      const reply = await commit(async (tx) => ({ body: await service.begin(tx, caller, started) }));
      begun.resolve(reply);
      events?.created();
    };
    const done = background.start(caller.project, request.body.input, async () => {
      const answered = await service.answer({ ...request, onStart });
      return answered.outcome.run.store(() => db.transaction((tx) => service.store(tx, caller, answered)));
    });
    // A failure before the start becomes the answer. A later failure has no effect here, because it is stored with the run.
    done.catch(begun.reject);
    return events ? done.then((body) => ({ body })) : begun.promise;
  }

  /** Answers when the run with the tools has an outcome. A background request without a stream is answered as soon as its response is stored. */
  async function answerWithTools(request: AnswerRequest, commit: Commit, signal: AbortSignal): Promise<Reply> {
    const { caller, events, body } = request;
    const store = db.transaction.bind(db);
    const started = await tools.begin(request);
    const showStart = () => {
      events?.begin(started.draft, '', false);
      events?.created();
    };
    if (!body.background) {
      if (started.start) await store(started.start);
      started.queue();
      showStart();
      const finish = await tools.settle(caller, started, signal);
      return commit(async (tx) => ({ body: await finish(tx) }));
    }
    const begun = Promise.withResolvers<Reply>();
    const done = background.start(caller.project, body.input, async () => {
      begun.resolve(await commit(async (tx) => ({ body: (await started.start?.(tx)) ?? started.draft })));
      started.queue();
      showStart();
      return store(await tools.settle(caller, started, NEVER));
    });
    // A failure before the start becomes the answer. A later failure has no effect here: the outcome of the run is read when a client reads the
    // response.
    done.catch(begun.reject);
    return events ? done.then((answered) => ({ body: answered })) : begun.promise;
  }

  async function requireResponse(caller: Caller, id: string): Promise<ResponseObject> {
    const { project } = caller;
    const response = requireFound(await responses.find(project, id));
    if (response.status !== 'in_progress') return response;
    if (ranTools(response)) return tools.catchUp(caller, response);
    const run = await runs.status(responseUuid(id));
    // The run completed after the response was read, so the stored response now has the answer.
    if (run?.state === 'completed') return requireFound(await responses.find(project, id));
    return withEnd(response, run);
  }

  return [
    route(
      contract.createResponse,
      async ({ caller, principal, body, idempotencyKey, commit, events, signal }) => {
        const agent = agentOf(body);
        if (agent !== undefined) {
          const response = await agents.answer(agent, { caller, body, idempotencyKey, events, signal });
          return commit(() => Promise.resolve({ body: response }));
        }
        const request = { caller, principal, body, idempotencyKey, events };
        if (runsTools(body)) return answerWithTools(request, commit, signal);
        if (body.background) return answerInBackground(request, commit);
        const answered = await service.answer(request);
        const store = () => commit(async (tx) => ({ body: await service.store(tx, caller, answered) }));
        return answered.outcome.run.store(store);
      },
      responseEvents,
    ),

    route(
      contract.getResponse,
      async ({ caller, params: { response_id: id }, query, events, signal }) => {
        const response = await requireResponse(caller, id);
        if (query.starting_after !== undefined && !(events && response.background))
          throw invalidField('query.starting_after', 'needs stream=true and a response with background');
        if (!events || response.status !== 'in_progress') return { body: response, digest: true };
        await (ranTools(response) ? tools.followed(response, signal) : runs.ended(responseUuid(id), signal));
        return { body: await requireResponse(caller, id) };
      },
      responseEvents,
    ),

    route(contract.listInputItems, async ({ caller: { project }, params, query }) => {
      const { response_id: id } = params;
      const { conversationId, seq, isPending } = requireFound(await responses.placeOf(project, id));
      const after = query.after === undefined ? undefined : messageOfItem(query.after)?.uuid;
      if (query.after !== undefined && after === undefined) throw invalidField('query.after', 'is no id of an item');
      const page = { until: isPending ? seq : seq - 1, order: query.order, limit: query.limit + 1 };
      return { body: pageOfItems(await conversations.page(conversationId, page, after), query) };
    }),

    route(contract.cancelResponse, async ({ caller, params: { response_id: id }, commit }) => {
      const response = await requireResponse(caller, id);
      if (!response.background) throw invalidField('response_id', 'is of a response without background');
      if (response.status !== 'in_progress') return commit(() => Promise.resolve({ body: response }));
      const runId = ranTools(response) ? await tools.runOf(response) : responseUuid(id);
      let notify: () => void = () => undefined;
      const reply = await commit(async (tx) => {
        const canceled = await runs.cancel(tx, runId);
        notify = canceled.notify;
        if (canceled.isCanceled) await recordDecision(tx, { ...caller, action: 'response.cancel', resource: id });
        return { body: { ...response, status: 'cancelled' } };
      });
      notify();
      return { ...reply, body: await requireResponse(caller, id) };
    }),

    route(contract.deleteResponse, ({ caller, params, commit }) =>
      commit(async (tx) => {
        if (!(await responses.remove(tx, caller.project, params.response_id))) throw new AppError('not_found');
        await recordDecision(tx, { ...caller, action: 'response.delete', resource: params.response_id });
        return {};
      }),
    ),
  ];
}
