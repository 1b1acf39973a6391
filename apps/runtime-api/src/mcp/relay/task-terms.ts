import { objectOrEmpty } from './v2026-terms.js';

/** The Tasks extension of 2026-07-28. In 2025-11-25, tasks are part of the protocol itself. */
export const TASKS = 'io.modelcontextprotocol/tasks';

/** The client capability by which servers of 2026-07-28 may answer a call with a task. */
export const TASK_CAPABILITY = { extensions: { [TASKS]: {} } };

/** Whether these capabilities, of a client or of a server of 2026-07-28, include tasks. */
export const hasTaskExtension = (capabilities: unknown): boolean =>
  TASKS in objectOrEmpty(objectOrEmpty(capabilities)['extensions']);

/** Whether a server of 2025-11-25 makes tasks of tool calls. */
export function makesTasksOfCalls(capabilities: unknown): boolean {
  const { requests } = objectOrEmpty(objectOrEmpty(capabilities)['tasks']);
  return 'call' in objectOrEmpty(objectOrEmpty(requests)['tools']);
}

const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** Whether a task of this status, which both versions name alike, has ended. */
export const hasTaskEnded = (status: unknown): boolean => ENDED.has(status);

/** The task in a result that has one instead of the call's own result (extension, "Task Creation"). */
export function createdTask(result: unknown): Record<string, unknown> | undefined {
  const task = objectOrEmpty(result);
  return task['resultType'] === 'task' && typeof task['taskId'] === 'string' ? task : undefined;
}

/** Converts a task of 2025-11-25. Its session answers no input requests, so none are outstanding. */
export function toV2026Task(task: unknown): Record<string, unknown> {
  const { ttl = null, pollInterval, status, ...rest } = objectOrEmpty(task);
  return {
    ...rest,
    status: status === 'input_required' ? 'working' : status,
    ttlMs: ttl,
    ...(pollInterval !== undefined && { pollIntervalMs: pollInterval }),
  };
}
