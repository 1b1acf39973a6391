import { EgressError, type EgressFailure } from '@millwright/egress';
import { SecretUnreadable } from '@millwright/secrets';
import { CardRefused } from './outside-agents/agent-card.js';
import { isSdkHttpError } from './sdk-errors.js';
import { isTimeout } from './server-unavailable.js';
import { causesOf } from './server-fetch.js';
import { TokenEndpointError } from './token-endpoint.js';

const BY_KIND: Readonly<Record<EgressFailure, string>> = {
  refused: 'The address is not public, or redirects.',
  unresolvable: 'The host name does not resolve.',
  busy: 'Too many calls of the server are under way.',
  timeout: 'The server did not answer in time.',
  too_large: 'The answer of the server is larger than allowed.',
  network: 'The connection to the server failed.',
};

const UNUSABLE = 'The server did not answer as an MCP server.';

/**
 * The reason why a probe did not reach its server, as a text for the project's users. It contains no text of the server
 * and no internal addresses.
 */
export function probeFaultOf(error: unknown): string {
  for (const cause of causesOf(error)) {
    if (cause instanceof CardRefused) return cause.message;
    if (cause instanceof EgressError) return BY_KIND[cause.kind];
    if (isTimeout(cause)) return BY_KIND.timeout;
    if (cause instanceof SecretUnreadable) return 'The stored secrets of the server cannot be read. Enter them again.';
    if (cause instanceof TokenEndpointError) return 'The authorization server refused a token.';
    if (isSdkHttpError(cause)) return `The server answered with the status ${cause.status}.`;
  }
  return UNUSABLE;
}
