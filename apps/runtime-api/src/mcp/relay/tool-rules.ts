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
 * Refuses a client's call of a tool that an admin marked with another rule than `allow`, audited. Unmarked tools are the client's to ask
 * its user about. A mark holds for clients after a change of the definition, too.
 *
 * @returns whether the call needs a decision first, which a client that `mayAsk` can get from its user
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
