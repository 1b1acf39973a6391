import { recordDecision, recordDenial } from '@millwright/audit';
import { callerOf } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { toolCallEntry, type RegisteredServer } from '@millwright/mcp';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  errorBody,
  JsonRpcRefusal,
  refusalOf,
  type McpRequest,
} from '../endpoint/json-rpc.js';
import { eventsAnswer, type McpAnswer, type McpCall } from '../endpoint/mcp-call.js';
import type { ClientSession, ClientSessionStore } from '../sessions/client-sessions.store.js';
import type { SessionSignals } from '../sessions/session-signals.js';
import { createOwnerCounts } from './owner-counts.js';
import { toEvent } from './translated-answer.js';
import { requestInput } from './v2025-to-v2026/input-requests.js';
import { objectOrEmpty } from './v2026-terms.js';

/** Calls of one user that wait for a decision, in this process. */
const MOST_PARKED = 16;
/** Limit of the arguments that a person is shown; longer ones nobody can judge there. */
const SHOWN_CHARACTERS = 8_192;

/** A call that a person decides about before it is made. */
export interface AskedCall {
  server: RegisteredServer;
  session: ClientSession;
  call: McpCall;
  request: McpRequest;
  tool: string;
}

/** Whether the client can ask its user in the stream of this call (2025-11-25, "Elicitation"). */
export function canAsk(call: McpCall, session: ClientSession | undefined): session is ClientSession {
  const { elicitation } = session?.capabilities ?? {};
  const modes = typeof elicitation === 'object' && elicitation !== null ? Object.keys(elicitation) : undefined;
  // A client of 2025-06-18 names no modes, and can show forms.
  const showsForms = modes !== undefined && (modes.length === 0 || modes.includes('form'));
  return showsForms && call.headers['accept']?.includes('text/event-stream') === true;
}

/** The question: a form whose only answer is whether the call is made, so that accepting an empty form approves nothing. */
const questionOf = (server: string, tool: string, args: string) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: `Make this call? Tool ${tool} of the MCP server ${server}, with ${args}`,
    requestedSchema: {
      type: 'object',
      properties: { approve: { type: 'boolean', title: 'Make this call', default: false } },
      required: ['approve'],
    },
  },
});

/**
 * Asks the user of a client of 2025-11-25 about a call, on the call's stream, and makes the call once it is approved: this one, in this
 * request, and no other. The wait ends after five minutes, or with the client.
 */
export function createAskFirst(
  db: Database,
  sessions: ClientSessionStore,
  signals: Pick<SessionSignals, 'until'>,
): (asked: AskedCall, proceed: () => Promise<McpAnswer>) => McpAnswer {
  const parked = createOwnerCounts(MOST_PARKED);

  async function* decide({ server, session, call, request, tool }: AskedCall): AsyncGenerator<string, void> {
    const { id, params } = request;
    const args = JSON.stringify(params['arguments'] ?? {});
    if (args.length > SHOWN_CHARACTERS)
      throw new JsonRpcRefusal(200, INVALID_REQUEST, 'The arguments are too long for a decision by this client', id);
    const inputRequests = { approval: questionOf(server.name, tool, args) };
    const asking = requestInput({ sessions, signals }, session, { inputRequests }, { id, signal: call.signal });
    let step = await asking.next();
    for (; !step.done; step = await asking.next()) yield toEvent(step.value.message);
    const { approval } = objectOrEmpty(objectOrEmpty(step.value)['inputResponses']);
    const { action, content } = objectOrEmpty(approval);
    const isApproved = action === 'accept' && objectOrEmpty(content)['approve'] === true;
    const caller = callerOf(call.principal, call.from);
    const resource = encodeId('ms', server.id);
    const detail = { tool, decision: isApproved ? 'approved' : 'refused', edited: false };
    await db.transaction((tx) => recordDecision(tx, { ...caller, action: 'approval.decide', resource, detail }));
    if (isApproved) return;
    await recordDenial(db, toolCallEntry(caller, { label: server.name, resource }, tool), 'a person refused the call');
    throw new JsonRpcRefusal(200, INVALID_REQUEST, 'A person refused this call', id);
  }

  async function* events(asked: AskedCall, proceed: () => Promise<McpAnswer>): AsyncGenerator<string> {
    const { call, request } = asked;
    const end = parked.begin(call.principal.user.id);
    try {
      if (!end)
        throw new JsonRpcRefusal(503, INTERNAL_ERROR, 'Too many calls of the user wait for an answer', request.id);
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
