import {
  Message,
  type AgentCard,
  type ListTasksRequest,
  type ListTasksResponse,
  type SendMessageRequest,
  type StreamResponse,
  type Task,
} from '@a2a-js/sdk';
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { decodeId, encodeId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Logger, Work } from '@millwright/http/process';
import type { RunService } from '../runs/runs.service.js';
import type { ProtocolInput } from '../tools/run-guards.js';
import { requireMayApprove, type PreparedDecision } from '@millwright/runs/approvals';
import type { ApprovalService } from '../runs/approvals/decide-approval.js';
import { callOf, toA2AError, type A2ACall } from './a2a-call.js';
import { decisionsIn } from './decisions.js';
import { followTask } from './follow-task.js';
import { CAPABILITIES, HITL, interfacesAt } from '../agents/a2a-interfaces.js';
import { contentOf, requireCount, requireMessage, storedParts } from './message-text.js';
import type { PushConfigs } from './push-configs.js';
import type { PushConfigStore } from './push-configs.store.js';
import { DEFAULT_SIZE, pageOf, tokenAfter } from './task-pages.js';
import { contextId, taskId, toTask, type TaskView } from './task-form.js';
import type { StoredTask, TaskOwner, TaskState, TaskStore } from './tasks.store.js';

export interface HandlerDeps {
  db: Database;
  tasks: TaskStore;
  push: PushConfigs & Pick<PushConfigStore, 'find' | 'list' | 'remove'>;
  runService: Pick<RunService, 'startRun' | 'executeRun' | 'followRun' | 'cancelRun' | 'settle'>;
  approvals: Pick<ApprovalService, 'listPending' | 'prepare' | 'decide'>;
  /** Address of the page on which people decide about calls of tools. */
  inboxUrl: string;
  /** Address of an image of a conversation, by the id of the conversation and the row id of the image. */
  imageUrl: (context: string, imageId: string) => string;
  logger: Logger;
  work: Work;
}

/** The task that an accepted message began or continued. */
interface Begun {
  task: StoredTask;
  /** Resolves when the task has ended or waits for its user, or when the client disconnected. */
  done: Promise<void>;
  refresh: () => Promise<StoredTask>;
}

/** States of tasks that have ended. Clients cannot subscribe to an ended task (§3.1.6). */
const HAS_ENDED: ReadonlySet<TaskState> = new Set(['completed', 'failed', 'canceled']);

/** Activates the extension for decisions in the call if the client requests the extension (§4.6). */
function activated(context: ServerCallContext): A2ACall {
  const call = callOf(context);
  call.isHitl = context.requestedExtensions?.includes(HITL) === true;
  if (call.isHitl) context.addActivatedExtension(HITL);
  return call;
}

/** The fields of a card that the SDK's server reads. They are the same for every agent. */
const SERVED = { capabilities: CAPABILITIES, supportedInterfaces: interfacesAt('') } as AgentCard;

/**
 * Implements the operations of A2A 1.0 §3.1. A task is a run. The SDK's own handler is not used, because it keeps events in one process, overwrites
 * whole tasks and sends the texts of internal errors to clients.
 */
export function createRequestHandler(deps: HandlerDeps): A2ARequestHandler {
  const { db, tasks, push, runService, approvals, inboxUrl, imageUrl, logger, work } = deps;
  const ownerOf = ({ caller, agent }: A2ACall): TaskOwner => ({ caller, agent });

  async function requireTask(call: A2ACall, id: string): Promise<StoredTask> {
    if (id.trim() === '') throw new RequestMalformedError('id: is required');
    const uuid = decodeId('task', id);
    const found = uuid === undefined ? undefined : await findTask(call, uuid);
    if (!found) throw new TaskNotFoundError();
    return found;
  }

  /** Refuses to start or list tasks of a deleted agent. @throws UnsupportedOperationError when the agent of the call was deleted */
  function requirePresent({ isDeleted }: A2ACall): void {
    if (isDeleted) throw new UnsupportedOperationError('The agent was deleted.');
  }

  async function findTask(call: A2ACall, uuid: string): Promise<StoredTask | undefined> {
    const found = await tasks.find(ownerOf(call), uuid);
    return found?.state === 'input_required' ? { ...found, pending: await approvals.listPending(uuid) } : found;
  }

  const viewOf = ({ isHitl }: A2ACall, historyLength?: number): TaskView => ({ historyLength, inboxUrl, isHitl });

  /** Stores the decisions that a message contains about the waiting calls of its task. One transaction stores all decisions (A2A 1.0 §3.4.2). */
  async function decide(call: A2ACall, message: Message): Promise<Begun> {
    const found = await requireTask(call, message.taskId);
    if (message.contextId !== '' && message.contextId !== contextId(found.contextId)) {
      throw new RequestMalformedError("message.contextId: is not the task's");
    }
    if (found.state !== 'input_required')
      throw new UnsupportedOperationError(
        'The task waits for no decision. Send the message without a task, in its context.',
      );
    const run = encodeId('run', found.id);
    await requireMayApprove(db, call.caller, run);
    const runOf = new Map(found.pending.map(({ id, runId }) => [encodeId('apr', id), encodeId('run', runId)]));
    const prepared: PreparedDecision[] = [];
    for (const { approval, decision } of decisionsIn(message, found.pending))
      prepared.push(await approvals.prepare(call.caller, runOf.get(approval) ?? run, approval, decision));
    const decided = await db.transaction(async (tx) => {
      const made = [];
      for (const decision of prepared) made.push(await approvals.decide(tx, call.caller, decision));
      return made;
    });
    for (const { after } of decided) after();
    const refresh = async () => (await findTask(call, found.id)) ?? found;
    return { task: await refresh(), done: runService.settle(found.id, call.signal), refresh };
  }

  /**
   * Starts a task: stores the message and its run, and begins to execute the run (A2A 1.0 §3.1.1). A message that names a task decides about that
   * task instead.
   */
  async function begin(call: A2ACall, request: SendMessageRequest, streamed: boolean): Promise<Begun> {
    const { caller, agent } = call;
    const message = requireMessage(request);
    if (message.taskId !== '') return decide(call, message);
    requirePresent(call);
    const { content, images } = contentOf(message);
    if (agent.status !== 'active') throw new UnsupportedOperationError('The agent is inactive.');
    if (agent.is_stopped) throw new UnsupportedOperationError('The agent is stopped.');
    const input: ProtocolInput = (uuid, context, stored, kept) => {
      const parts = storedParts(message, content, stored, kept, (image) => imageUrl(contextId(context), image.id));
      const placed = { ...message, parts, taskId: taskId(uuid), contextId: contextId(context) };
      return { message: Message.toJSON(placed) as object };
    };
    const wanted = request.configuration?.taskPushNotificationConfig;
    const receiver = wanted && (await push.read(wanted));
    const alongside = receiver && ((tx: Tx, runId: string) => push.put(tx, runId, receiver));
    const run = await runService
      .startRun({
        ...{ caller, agent, content, images, contextId: message.contextId || undefined },
        ...{ channel: 'a2a', input, alongside },
      })
      .catch((error: unknown) => {
        if (error instanceof AppError && error.fields[0]?.field === 'images')
          throw new ContentTypeNotSupportedError(`message.parts: images ${error.fields[0].reason}.`);
        if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
        throw new RequestMalformedError('message.contextId: is not a context of this agent');
      });
    const task = await tasks.find(ownerOf(call), run.id);
    const executed = runService.executeRun(run, { isStreamed: streamed }, (store) => db.transaction(store));
    const done = work.track(
      executed.then(
        () => undefined,
        (err: unknown) => logger.warn({ err }, 'a task has no answer'),
      ),
    );
    if (!task) throw new TaskNotFoundError();
    return { task, done, refresh: async () => (await findTask(call, run.id)) ?? task };
  }

  const follow = (call: A2ACall, task: StoredTask, historyLength?: number) =>
    followTask({
      task,
      find: () => findTask(call, task.id),
      events: runService.followRun(task.id, 0, call.signal),
      view: viewOf(call, historyLength),
    });

  async function answered<Result>(
    context: ServerCallContext,
    work: (call: A2ACall) => Promise<Result>,
  ): Promise<Result> {
    const call = activated(context);
    try {
      return await work(call);
    } catch (error) {
      throw toA2AError(call, error);
    }
  }

  async function* streamed(
    context: ServerCallContext,
    open: (call: A2ACall) => Promise<AsyncGenerator<StreamResponse, void, undefined>>,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const call = activated(context);
    try {
      yield* await open(call);
    } catch (error) {
      throw toA2AError(call, error);
    }
  }

  return {
    getAgentCard: () => Promise.resolve(SERVED),
    getAuthenticatedExtendedAgentCard: () => Promise.reject(new UnsupportedOperationError()),

    sendMessage: (request, context) =>
      answered(context, async (call): Promise<Task> => {
        const { returnImmediately = false, historyLength } = request.configuration ?? {};
        const { task, done, refresh } = await begin(call, request, returnImmediately);
        if (returnImmediately) return toTask(task, viewOf(call, historyLength));
        await done;
        return toTask(await refresh(), viewOf(call, historyLength));
      }),

    sendMessageStream: (request, context) =>
      streamed(context, async (call) => {
        const { task } = await begin(call, request, true);
        return follow(call, task, request.configuration?.historyLength);
      }),

    getTask: ({ id, historyLength }, context) =>
      answered(context, async (call) => {
        requireCount(historyLength, 'historyLength');
        return toTask(await requireTask(call, id), viewOf(call, historyLength));
      }),

    listTasks: (request: ListTasksRequest, context) =>
      answered(context, async (call): Promise<ListTasksResponse> => {
        requirePresent(call);
        const filter = pageOf(request);
        if (!filter) return { tasks: [], nextPageToken: '', pageSize: request.pageSize ?? DEFAULT_SIZE, totalSize: 0 };
        const { tasks: page, isLast, total } = await tasks.list(ownerOf(call), filter);
        return {
          tasks: page.map((task) => toTask(task, { historyLength: request.historyLength ?? 0 })),
          nextPageToken: isLast ? '' : tokenAfter(page.at(-1)),
          pageSize: filter.limit,
          totalSize: total,
        };
      }),

    cancelTask: ({ id }, context) =>
      answered(context, async (call) => {
        const task = await requireTask(call, id);
        const audit = {
          action: 'agent.task.cancel',
          resource: encodeId('task', task.id),
          detail: { agent: call.agent.slug },
        };
        await runService.cancelRun(call.caller, task.id, audit);
        const now = await requireTask(call, id);
        // Canceling a canceled task again succeeds (A2A 1.0 §3.3.1).
        if (now.state !== 'canceled') throw new TaskNotCancelableError();
        return toTask(now);
      }),

    resubscribe: ({ id }, context) =>
      streamed(context, async (call) => {
        const task = await requireTask(call, id);
        if (HAS_ENDED.has(task.state)) throw new UnsupportedOperationError('The task has ended.');
        return follow(call, task);
      }),

    createTaskPushNotificationConfig: (params, context) =>
      answered(context, async (call) => {
        const { id } = await requireTask(call, params.taskId);
        const config = await push.read(params);
        await db.transaction((tx) => push.put(tx, id, config));
        return push.toResponse(id, config);
      }),

    getTaskPushNotificationConfig: ({ taskId: task, id }, context) =>
      answered(context, async (call) => {
        const { id: runId } = await requireTask(call, task);
        const config = await push.find(runId, id);
        if (!config) throw new TaskNotFoundError();
        return push.toResponse(runId, config);
      }),

    listTaskPushNotificationConfigs: ({ taskId: task }, context) =>
      answered(context, async (call) => {
        const { id } = await requireTask(call, task);
        const configs = (await push.list(id)).map((config) => push.toResponse(id, config));
        return { configs, nextPageToken: '' };
      }),

    deleteTaskPushNotificationConfig: ({ taskId: task, id }, context) =>
      answered(context, async (call) => {
        await push.remove((await requireTask(call, task)).id, id);
      }),
  };
}
