import { hasCaseVariant, isJsonObject, jsonShapeOf } from '@millwright/json';

/** A JSON-RPC message as a server sent it: only its outer form is checked. */
export interface ServerMessage {
  id?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/**
 * Error for a message that is refused because of its size, before it is parsed. The text of the error is for the
 * client.
 */
export class MessageRefused extends Error {
  override name = 'MessageRefused';
}

/** Limit of values in a message. Parsing this many values blocks all other requests for some hundredths of a second. */
const MOST_VALUES = 200_000;

/** Number of levels that determine the meaning of a message: the message itself, and its `params` or `result`. */
const LEVELS = 2;
const MEMBERS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'];

/**
 * Parses a text that is one JSON-RPC message with the same meaning for all parsers. Returns `undefined` for any other
 * text, for a batch, and when a name occurs twice or in another letter case.
 *
 * @throws MessageRefused for a text with too many values
 */
export function readMessage(text: string): ServerMessage | undefined {
  const { values, isAmbiguous } = jsonShapeOf(text, LEVELS);
  if (values > MOST_VALUES) throw new MessageRefused(`A message of the MCP server has more than ${MOST_VALUES} values`);
  const message = isAmbiguous ? undefined : toMessage(parseJson(text));
  if (!message || hasCaseVariant(message, MEMBERS)) return undefined;
  return isJsonObject(message.result) && hasCaseVariant(message.result, ['tools']) ? undefined : message;
}

/** Returns the value as a message; undefined unless the value is a JSON object. */
export const toMessage = (value: unknown): ServerMessage | undefined => (isJsonObject(value) ? value : undefined);

/** Parses a JSON text; undefined for any other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
