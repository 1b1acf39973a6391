import type { Scope } from '@millwright/auth';
import { JsonRpcRefusal, METHOD_NOT_FOUND, type McpMessage } from '../endpoint/json-rpc.js';
import type { McpCall } from '../endpoint/mcp-call.js';
import { IN_BOTH_VERSIONS } from './v2026-terms.js';

/** The request methods that the relay passes to servers, by the client's version. */
const REQUESTS = {
  v2025: new Set([
    ...IN_BOTH_VERSIONS,
    'initialize',
    'ping',
    'logging/setLevel',
    'resources/subscribe',
    'resources/unsubscribe',
    'tasks/get',
    'tasks/result',
    'tasks/list',
    'tasks/cancel',
  ]),
  v2026: new Set([
    ...IN_BOTH_VERSIONS,
    'server/discover',
    'subscriptions/listen',
    'tasks/get',
    'tasks/update',
    'tasks/cancel',
  ]),
};

const NOTIFICATIONS = {
  v2025: new Set([
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
    'notifications/tasks/status',
  ]),
  v2026: new Set(['notifications/cancelled', 'notifications/progress']),
};

/** The scopes that a relayed method needs in addition. A task needs the scope of a call, as it is a longer call. */
export const relayedScopesOf = ({ method }: Exclude<McpMessage, { kind: 'response' }>): readonly Scope[] =>
  /^tasks\//i.test(method) ? ['mcp:call'] : [];

/**
 * Whether a message is relayed. A notification of another method is dropped.
 *
 * @throws JsonRpcRefusal for a request of another method (2026-07-28, "Error codes": with status 404)
 */
export function isRelayed({ message }: Pick<McpCall, 'message'>, fromV2026: boolean): boolean {
  const version = fromV2026 ? 'v2026' : 'v2025';
  if (message?.kind === 'notification') return NOTIFICATIONS[version].has(message.method);
  if (message?.kind === 'request' && !REQUESTS[version].has(message.method))
    throw new JsonRpcRefusal(fromV2026 ? 404 : 200, METHOD_NOT_FOUND, 'Method not found', message.id);
  return true;
}
