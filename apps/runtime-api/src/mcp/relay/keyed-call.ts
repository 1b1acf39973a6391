import { claimOnce, keyedRequest, storeAnswer, type Database, type SingleClaim } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { IDEMPOTENCY_KEY, isUnsent, type RegisteredServer } from '@millwright/mcp';
import { dataOf, readMessage, type ServerMessage } from '@millwright/mcp/messages';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  JsonRpcRefusal,
  OUTCOME_UNKNOWN,
  type McpRequest,
} from '@millwright/mcp/json-rpc';
import { jsonAnswer, type McpAnswer, type McpCall } from '../endpoint/mcp-call.js';
import { canonicalJson } from '@millwright/json';
import { metaOf, objectOrEmpty } from '../endpoint/v2026-terms.js';

/**
 * Maximum length of a stored answer, in characters. A longer answer is sent but not stored. When the call is repeated, the client then gets
 * the error that the outcome is unknown.
 */
const STORED_CHARACTERS = 1_048_576;
const KEY = /^[\x21-\x7e]{1,255}$/;

interface StoredReply {
  result?: unknown;
  error?: unknown;
}

/**
 * The client's idempotency key for a call, from a header or from `_meta`.
 * @throws JsonRpcRefusal for an invalid key, or when header and `_meta` have different keys
 */
function keyOf({ headers }: McpCall, { id, params }: McpRequest): string | undefined {
  const stated = [headers['idempotency-key'], metaOf(params)[IDEMPOTENCY_KEY]].filter((key) => key !== undefined);
  const [key, other = key] = stated;
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key) && key === other) return key;
  const text =
    'Invalid params: the idempotency key must be 1 to 255 visible ASCII characters, and the same in header and _meta';
  throw new JsonRpcRefusal(200, INVALID_PARAMS, text, id);
}

/**
 * Makes a tool call with an idempotency key only once, even when several processes receive it. A repetition with the same key and the same
 * arguments gets the stored answer. When the answer was lost, the outcome is unknown, and the call is never made again under this key. Keys
 * are kept for a day.
 */
export function createKeyedCalls(db: Database) {
  return async (
    { id: serverId }: Pick<RegisteredServer, 'id'>,
    call: McpCall,
    request: McpRequest,
    make: (call: McpCall) => Promise<McpAnswer>,
  ): Promise<McpAnswer> => {
    const key = keyOf(call, request);
    if (key === undefined) return make(call);
    const { id, method, params } = request;
    // Each round of a call that requires input has a separate key.
    const { requestState = null, ...args } = params;
    delete args['_meta'];
    const owner = canonicalJson(['mcp', call.principal.user.id, serverId, requestState]);
    const keyed = keyedRequest(owner, key, method, '', canonicalJson(args));
    const claim = await claimOnce(db, keyed).catch((error: unknown) => {
      throw refusalFor(error, request);
    });
    if (claim.isUnknown)
      throw new JsonRpcRefusal(
        200,
        OUTCOME_UNKNOWN,
        'The outcome of this call is unknown: it was sent, and its answer was lost. It is not sent again under this idempotency key',
        id,
      );
    if (claim.answer) {
      const { status, body } = claim.answer;
      return jsonAnswer({ jsonrpc: '2.0', id, ...(body as StoredReply) }, { status });
    }
    let isSent = false;
    // When the call was never sent, for example because it was not approved, the client may use its key again.
    const endWithout = () => (isSent ? claim.giveUp() : claim.release());
    let answer: McpAnswer;
    try {
      answer = await make({ ...call, onSend: () => (isSent = true) });
    } catch (error) {
      await (isRefusedHere(error) || isUnsent(error) ? claim.release() : endWithout());
      throw error;
    }
    const { body, status } = answer;
    const settle = (message: ServerMessage) => store(claim, keyed, message, status, endWithout);
    if (typeof body === 'string') {
      await settle(readMessage(body) ?? {});
      return answer;
    }
    if (body) return { ...answer, body: settledEvents(body, request, settle, endWithout) };
    await endWithout();
    return answer;
  };

  async function store(
    claim: SingleClaim,
    keyed: Parameters<typeof storeAnswer>[1],
    { result, error }: ServerMessage,
    status: number,
    endWithout: () => Promise<void>,
  ): Promise<void> {
    const body: StoredReply = error === undefined ? { result } : { error };
    // After an internal error, it is unknown whether the call had an effect.
    const isLost = objectOrEmpty(error)['code'] === INTERNAL_ERROR || (result === undefined && error === undefined);
    if (isLost) return endWithout();
    if (JSON.stringify(body).length > STORED_CHARACTERS) return claim.giveUp();
    try {
      await db.transaction((tx) => storeAnswer(tx, keyed, { status, headers: {}, body }));
    } catch (error) {
      await claim.giveUp().catch(() => undefined);
      throw error;
    }
    claim.end();
  }
}

/** Stores the answer of a stream before the answer is sent to the client. */
async function* settledEvents(
  events: AsyncIterable<string>,
  { id }: McpRequest,
  settle: (message: ServerMessage) => Promise<void>,
  endWithout: () => Promise<void>,
): AsyncGenerator<string> {
  let isSettled = false;
  try {
    for await (const event of events) {
      const message = readMessage(dataOf(event));
      if (!isSettled && message?.id === id && message.method === undefined) {
        isSettled = true;
        await settle(message);
      }
      yield event;
    }
  } finally {
    if (!isSettled) await endWithout();
  }
}

/**
 * Whether this installation refused the call before it was sent. False for an internal error, because the call may have been sent before
 * the error.
 */
const isRefusedHere = (error: unknown) => error instanceof JsonRpcRefusal && error.code !== INTERNAL_ERROR;

function refusalFor(error: unknown, { id }: McpRequest): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === 'idempotency_conflict')
    return new JsonRpcRefusal(200, INVALID_PARAMS, 'Invalid params: the idempotency key was used for another call', id);
  if (error.code === 'idempotency_running')
    return new JsonRpcRefusal(503, INTERNAL_ERROR, 'A call with this idempotency key is under way', id);
  return error;
}
