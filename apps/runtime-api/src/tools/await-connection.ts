import type { Caller } from '@millwright/auth';
import { decodeId, encodeId } from '@millwright/db';
import { RunWaits, type ConnectionWaits } from '@millwright/runs';
import { connectUrlOf } from '../connections/connect-url.js';

/** A call for which the user has no account at the MCP server. */
export interface UnconnectedToolCall {
  caller: Caller;
  /** In the form of the API. */
  runId: string;
  step: number;
  server: { id: string; name: string };
}

/** Lets a run wait until its user has connected an account. Returns when the call may not wait any more. @throws RunWaits */
export type AwaitConnection = (call: UnconnectedToolCall) => Promise<void>;

/** `hours`: time from a call's start after which it waits no more. */
export function createAwaitConnection(
  waits: ConnectionWaits,
  { hours, runtimeUrl }: { hours: number; runtimeUrl: string },
): AwaitConnection {
  return async ({ caller, runId, step, server }) => {
    const call = { runId: decodeId('run', runId) ?? '', step, serverId: server.id };
    const until = await waits.deadline(caller.actor.userId, call, hours);
    if (!until) return;
    const id = encodeId('ms', server.id);
    const data = { server: id, name: server.name, url: connectUrlOf(runtimeUrl, id) };
    throw new RunWaits('connection', data, (tx) => waits.wait(tx, call, until));
  };
}
