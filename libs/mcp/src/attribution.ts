import { hasCaseVariant, isJsonObject } from '@millwright/json';
import type { ServerMessage } from './server-message.js';

/** Maximum length of a server's instructions, in characters; the same as for a tool's description. */
const INSTRUCTIONS_LENGTH = 16_384;
const URL_LENGTH = 2_048;

/**
 * Instructions for a client's model, with the name of the server that wrote them, to distinguish them from the instructions of this
 * platform.
 */
export function attributedInstructions(instructions: string, server: string): string {
  const text =
    instructions.length > INSTRUCTIONS_LENGTH ? `${instructions.slice(0, INSTRUCTIONS_LENGTH)} … (cut)` : instructions;
  return `The MCP server "${server}" wrote these instructions; nobody reviewed them:\n\n${text}`;
}

/**
 * Adds the server's name to the message's instructions, and adds the server's name and the host to each address that a user has to open. A
 * message that has neither instructions nor addresses is returned unchanged. Returns undefined when an address is not `https` (or `http` of
 * this machine), is too long, or contains a user name or a password. Also returns undefined when the name of a member is written in another
 * letter case, because other parsers may find an address or instructions there.
 */
export function attributed(message: ServerMessage, server: string): ServerMessage | undefined {
  const { method, params, result, error } = message;
  if (method === ELICITATION && params !== undefined) {
    const named = attributedElicitation(params, server);
    if (named === params) return message;
    return named === undefined ? undefined : { ...message, params: named };
  }
  if (isJsonObject(result)) {
    if (hasCaseVariant(result, ['instructions', 'capabilities', 'inputRequests', 'resultType'])) return undefined;
    if (typeof result['instructions'] === 'string' && 'capabilities' in result) {
      const instructions = attributedInstructions(result['instructions'], server);
      return { ...message, result: { ...result, instructions } };
    }
    const requests = result['inputRequests'];
    if (result['resultType'] !== 'input_required' || !isJsonObject(requests)) return message;
    const inputRequests = attributedValues(requests, server);
    return inputRequests && { ...message, result: { ...result, inputRequests } };
  }
  if (!isJsonObject(error)) return message;
  const { data } = error;
  if (hasCaseVariant(error, ['data']) || (isJsonObject(data) && hasCaseVariant(data, ['elicitations'])))
    return undefined;
  if (!isJsonObject(data) || !Array.isArray(data['elicitations'])) return message;
  const elicitations = data['elicitations'].map((each) => attributedElicitation(each, server));
  if (elicitations.includes(undefined)) return undefined;
  return { ...message, error: { ...error, data: { ...data, elicitations } } };
}

const ELICITATION = 'elicitation/create';

/** Adds the server's name to each request for input (2026-07-28, "Multi round-trip requests"). */
function attributedValues(requests: Readonly<Record<string, unknown>>, server: string) {
  const named = Object.entries(requests).map(([key, request]) => {
    if (!isJsonObject(request)) return [key, request] as const;
    if (hasCaseVariant(request, ['method', 'params'])) return [key, undefined] as const;
    if (request['method'] !== ELICITATION) return [key, request] as const;
    const params = attributedElicitation(request['params'], server);
    return [key, params && { ...request, params }] as const;
  });
  return named.some(([, request]) => request === undefined) ? undefined : Object.fromEntries(named);
}

/**
 * Adds the server's name and the host to an address that the user has to open (2025-11-25, "URL mode elicitation
 * requests"). The host is in ASCII, which has no letters of other scripts that look alike.
 */
function attributedElicitation(params: unknown, server: string): unknown {
  if (!isJsonObject(params)) return params;
  if (hasCaseVariant(params, ['mode', 'url', 'message'])) return undefined;
  if (params['mode'] !== 'url') return params;
  const { url, message } = params;
  if (typeof url !== 'string' || url.length > URL_LENGTH || !URL.canParse(url)) return undefined;
  const { protocol, host, hostname, username, password, href } = new URL(url);
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback)) return undefined;
  if (username !== '' || password !== '') return undefined;
  const text = typeof message === 'string' ? message : '';
  return { ...params, url: href, message: `The MCP server "${server}" asks you to open a page of ${host}: ${text}` };
}
