import type { Caller } from '@millwright/auth';
import { decodeId, encodeId } from '@millwright/db';
import { RunWaits, type ConnectionWaits } from '@millwright/runs';
import { connectUrlOf } from '../connections/connect-url.js';

/** A call that failed because the user has no account at the MCP server. */
export interface UnconnectedToolCall {
  caller: Caller;
  /** Id of the run in the form of the API. */
  runId: string;
  step: number;
  server: { id: string; name: string };
}

/** Returns the error that makes a run wait until its user has connected an account; undefined when the call may no longer wait. */
export type AwaitConnection = (call: UnconnectedToolCall) => Promise<RunWaits | undefined>;

/** A wait ends `hours` hours after the start of its call. */
export function createAwaitConnection(
  waits: ConnectionWaits,
  { hours, runtimeUrl }: { hours: number; runtimeUrl: string },
): AwaitConnection {
  return async ({ caller, runId, step, server }) => {
    const call = { runId: decodeId('run', runId) ?? '', step, serverId: server.id };
    const until = await waits.deadline(caller.actor.userId, call, hours);
    if (!until) return undefined;
    const id = encodeId('ms', server.id);
    const data = { server: id, name: server.name, url: connectUrlOf(runtimeUrl, id) };
    return new RunWaits('connection', data, (tx) => waits.wait(tx, call, until));
  };
}
