import { TaskState, type ListTasksRequest } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { decodeId } from '@millwright/db';
import { z } from 'zod';
import { requireCount } from './message-text.js';
import { storedState, taskId } from './task-form.js';
import type { StoredTask, TaskFilter } from './tasks.store.js';

export const DEFAULT_SIZE = 50;
const MOST = 100;

/** Cursor of a page of tasks: change time and id of the last task on the previous page. */
const Place = z.tuple([z.iso.datetime(), z.string()]);

/** Reads the filter of a list request (A2A 1.0 §3.1.4). Returns `undefined` when no task can match it. @throws A2AError for an invalid field */
export function pageOf(request: ListTasksRequest): TaskFilter | undefined {
  const { status, pageSize: limit = DEFAULT_SIZE, historyLength, statusTimestampAfter } = request;
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) throw malformed('pageSize', `must be from 1 to ${MOST}`);
  requireCount(historyLength, 'historyLength');
  if (status === TaskState.UNRECOGNIZED) throw malformed('status', 'is not a state of tasks');
  const since = statusTimestampAfter ? new Date(statusTimestampAfter) : undefined;
  if (since && Number.isNaN(since.getTime())) throw malformed('statusTimestampAfter', 'must be a time of ISO 8601');
  const contextId = request.contextId === '' ? undefined : decodeId('ctx', request.contextId);
  const state = status ? storedState(status) : undefined;
  const after = request.pageToken === '' ? undefined : placeOf(request.pageToken);
  const meansNone = (request.contextId !== '' && !contextId) || (Boolean(status) && !state);
  if (meansNone) return undefined;
  const [messages, answers] = [(historyLength ?? 0) > 0, request.includeArtifacts === true];
  return { contextId, state, since, after, limit, messages, answers };
}

/** Builds the page token for the tasks after `last`. */
export const tokenAfter = (last: StoredTask | undefined): string =>
  last ? Buffer.from(JSON.stringify([last.statusAt, taskId(last.id)])).toString('base64url') : '';

function placeOf(token: string): TaskFilter['after'] {
  try {
    const [statusAt, task] = Place.parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
    const id = decodeId('task', task);
    if (id !== undefined) return { statusAt: new Date(statusAt), id };
  } catch {
    // an unreadable token is refused below, like one with an invalid id
  }
  throw malformed('pageToken', 'is not one of ours');
}

const malformed = (field: string, reason: string) => new RequestMalformedError(`${field}: ${reason}`);
