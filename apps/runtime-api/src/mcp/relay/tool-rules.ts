import { recordDecision, recordDenial } from '@millwright/audit';
import { callerOf, type Caller } from '@millwright/auth';
import { encodeId, isStorable, type Database } from '@millwright/db';
import { findToolRule, toolCallEntry, type RegisteredServer } from '@millwright/mcp';
import { createOwnerCounts } from '@millwright/rate-limit';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  errorBody,
  JsonRpcRefusal,
  refusalOf,
  type McpRequest,
  type RequestId,
} from '@millwright/mcp/json-rpc';
import { eventsAnswer, jsonAnswer, type McpAnswer, type McpCall } from '../endpoint/mcp-call.js';
import {
  type ClientSession,
  type ClientSessionStore,
  type SessionChanges,
  formatState,
  parseState,
  withoutInput,
  type WaitingCallStore,
} from '@millwright/mcp/client-sessions';
import { toEvent } from './translated-answer.js';
import {
  approvalForm,
  canReceive,
  decisionIn,
  FORM,
  knownCapabilities,
  requestInput,
  SHOWN_CHARACTERS,
} from './input-requests.js';
import { CAPABILITIES_KEY, metaOf, objectOrEmpty } from '../endpoint/v2026-terms.js';

const REFUSALS = {
  deny: 'The rule of this tool refuses its calls',
  ask: 'The rule of this tool requires an approval: have an agent of the project call it, or use a client that can ask its user',
} as const;

/**
 * Refuses and audits a client's call of a tool whose rule is `deny`, or `ask` when the decision cannot be requested. A call of an unmarked
 * tool is admitted, because the client itself is responsible for the approval of its user. A mark applies to calls of clients even after
 * the tool's definition has changed.
 * @param mayAsk whether the client can request a decision from its user
 * @returns whether a person must decide before the call; always false without `mayAsk`
 * @throws JsonRpcRefusal for a refused call
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
  // The client's user is the requester. When another user has to decide, the client therefore cannot request the decision.
  if (rule === 'ask' && mayAsk && caller.scopes?.has('runs:approve') && found?.other_decider === false) return true;
  const audited = { label: server.name, resource: encodeId('ms', server.id) };
  await recordDenial(db, toolCallEntry(caller, audited, tool), 'the rule of the tool refuses the call');
  throw new JsonRpcRefusal(200, INVALID_REQUEST, REFUSALS[rule], request);
}

/** Limit of one user's calls that wait for a decision in this process. */
const MOST_PARKED = 16;

/** A call about which a person decides before it is made. */
export interface AskedCall {
  server: RegisteredServer;
  call: McpCall;
  request: McpRequest;
  tool: string;
}

/** Whether the client can receive an approval form on the stream of this call (2025-11-25, "Elicitation"). */
export const canAsk = (call: McpCall, session: ClientSession | undefined): session is ClientSession =>
  canReceive(session?.capabilities ?? {}, FORM) && call.headers['accept']?.includes('text/event-stream') === true;

/** Whether the client can receive an approval form as a result of this call (2026-07-28, "Elicitation"). */
export const canAskByResult = ({ params }: Pick<McpRequest, 'params'>): boolean =>
  canReceive(knownCapabilities(metaOf(params)[CAPABILITIES_KEY]), FORM);

function questionOf({ server, request, tool }: AskedCall) {
  const args = JSON.stringify(request.params['arguments'] ?? {});
  if (args.length > SHOWN_CHARACTERS)
    throw new JsonRpcRefusal(
      200,
      INVALID_REQUEST,
      'The arguments are too long for a decision by this client',
      request.id,
    );
  return approvalForm(`Make this call? Tool ${tool} of the MCP server ${server.name}, with ${args}`);
}

/** Records the decision in the response to {@link questionOf}. @throws JsonRpcRefusal unless the call is approved */
async function requireApproved(db: Database, { server, call, request, tool }: AskedCall, response: unknown) {
  const isApproved = decisionIn(response) === 'approve';
  const caller = callerOf(call.principal, call.from);
  const resource = encodeId('ms', server.id);
  const detail = { tool, decision: isApproved ? 'approved' : 'refused', edited: false };
  await db.transaction((tx) => recordDecision(tx, { ...caller, action: 'approval.decide', resource, detail }));
  if (isApproved) return;
  await recordDenial(db, toolCallEntry(caller, { label: server.name, resource }, tool), 'a person refused the call');
  throw new JsonRpcRefusal(200, INVALID_REQUEST, 'A person refused this call', request.id);
}

const tooManyWait = ({ id }: McpRequest) =>
  new JsonRpcRefusal(503, INTERNAL_ERROR, 'Too many calls of the user wait for an answer', id);

/**
 * Requests approval from the user of a 2025-11-25 client on the stream of the call. An approval is valid only for the call in this request.
 * The wait for the user ends after five minutes, or when the client disconnects.
 */
export function createAskFirst(
  db: Database,
  sessions: ClientSessionStore,
  sessionChanges: Pick<SessionChanges, 'until'>,
): (asked: AskedCall & { session: ClientSession }, proceed: () => Promise<McpAnswer>) => McpAnswer {
  const parked = createOwnerCounts(MOST_PARKED);

  async function* decide(asked: AskedCall & { session: ClientSession }): AsyncGenerator<string, void> {
    const { session, call, request } = asked;
    const inputRequests = { approval: questionOf(asked) };
    const waits = { id: request.id, signal: call.signal };
    const asking = requestInput({ sessions, sessionChanges }, session, { inputRequests }, waits);
    let step = await asking.next();
    for (; !step.done; step = await asking.next()) yield toEvent(step.value.message);
    await requireApproved(db, asked, objectOrEmpty(objectOrEmpty(step.value)['inputResponses'])['approval']);
  }

  async function* events(
    asked: AskedCall & { session: ClientSession },
    proceed: () => Promise<McpAnswer>,
  ): AsyncGenerator<string> {
    const { call, request } = asked;
    const end = parked.begin(call.principal.user.id);
    try {
      if (!end) throw tooManyWait(request);
      yield* decide(asked);
      end();
      const { body } = await proceed();
      if (typeof body === 'string') yield toEvent(JSON.parse(body) as object);
      else if (body) yield* body;
    } catch (error) {
      if (!call.signal.aborted) yield toEvent(errorBody(refusalOf(error, request.id)));
    } finally {
      end?.();
    }
  }

  return (asked, proceed) => eventsAnswer(events(asked, proceed));
}

/**
 * Requests approval from the user of a 2026-07-28 client by a result that requires input. The client repeats the call with the response, to
 * any replica. An approval is valid once, for the same call, and expires after five minutes.
 */
export function createAskByResult(db: Database, waiting: WaitingCallStore) {
  return async (asked: AskedCall, proceed: (approved: McpCall) => Promise<McpAnswer>): Promise<McpAnswer> => {
    const { server, call, request } = asked;
    const { id, method, params } = request;
    const owner = { userId: call.principal.user.id, serverId: server.id, request };
    const state = parseState(params['requestState']);
    const former = state && (await waiting.takeApproval(state, owner));
    if (former === undefined) {
      const approval = questionOf(asked);
      // The client's responses to the server's own input requests are sent to the server after the approval.
      const { inputResponses, requestState } = params;
      const secret = await waiting.begin(owner, 'approval', JSON.stringify({ inputResponses, requestState }));
      if (secret === undefined) throw tooManyWait(request);
      const result = { resultType: 'input_required', inputRequests: { approval } };
      return jsonAnswer({
        ...{ jsonrpc: '2.0', id },
        result: { ...result, requestState: formatState({ secret, round: 0 }) },
      });
    }
    await requireApproved(db, asked, objectOrEmpty(params['inputResponses'])['approval']);
    const made = { ...withoutInput(params), ...objectOrEmpty(JSON.parse(former)) };
    const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id, method, params: made }));
    return proceed({ ...call, message: { ...request, params: made }, body });
  };
}
