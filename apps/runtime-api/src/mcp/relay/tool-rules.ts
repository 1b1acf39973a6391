import { recordDenial } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { encodeId, isStorable, type Database } from '@millwright/db';
import { findToolRule, toolCallEntry, type RegisteredServer } from '@millwright/mcp';
import { INVALID_REQUEST, JsonRpcRefusal, type RequestId } from '../endpoint/json-rpc.js';

const REFUSALS = {
  deny: 'The rule of this tool refuses its calls',
  ask: 'The rule of this tool requires an approval: have an agent of the project call it, or use a client that can ask its user',
} as const;

/**
 * Refuses and audits a client's call of a tool whose mark is not `allow`. For unmarked tools, the client itself is responsible for
 * asking its user. For clients, a mark stays valid after a change of the definition.
 *
 * @returns whether the call needs a decision first; a client that `mayAsk` can get it from its user
 * @throws JsonRpcRefusal
 */
export async function requireAllowed(
  db: Database,
  caller: Caller,
  server: RegisteredServer,
  tool: string,
  request: RequestId,
  mayAsk: boolean,
): Promise<boolean> {
  const found = isStorable(tool) ? await findToolRule(db, server.id, tool) : undefined;
  const { rule = null } = found ?? {};
  if (rule === null || rule === 'allow') return false;
  // The client's user is the requester.
  if (rule === 'ask' && mayAsk && caller.scopes?.has('runs:approve') && found?.other_decider === false) return true;
  const audited = { label: server.name, resource: encodeId('ms', server.id) };
  await recordDenial(db, toolCallEntry(caller, audited, tool), 'the rule of the tool refuses the call');
  throw new JsonRpcRefusal(200, INVALID_REQUEST, REFUSALS[rule], request);
}
