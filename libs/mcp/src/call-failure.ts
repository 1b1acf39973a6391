import { NoServerFault } from './server-connections.js';

/**
 * Reasons of a failed call. `not_available`: the tool is unknown, not approved or changed since its approval, or its
 * server is not active. `not_connected`: the user must first connect an account at the server. `unavailable`: the
 * server gave no usable answer.
 */
export type McpCallFailure = 'not_available' | 'not_connected' | 'unavailable' | 'timeout' | 'too_large';

export class McpCallFailed extends NoServerFault {
  override name = 'McpCallFailed';
  readonly kind: McpCallFailure;

  constructor(kind: McpCallFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}
