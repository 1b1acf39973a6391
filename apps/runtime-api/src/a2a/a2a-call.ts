import { A2AError, RequestMalformedError } from '@a2a-js/sdk/errors';
import type { ServerCallContext, User } from '@a2a-js/sdk/server';
import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { AppError } from '@millwright/errors';

/** One request to an agent's A2A endpoint, after the checks of its credential, its scope and the rate limits. */
export interface A2ACall {
  caller: Caller;
  agent: RunnableAgent;
  /** Whether the agent was deleted. The call may then concern an existing task of the agent, but cannot start a task. */
  isDeleted: boolean;
  /** The signal aborts when the client disconnects. */
  signal: AbortSignal;
  /** Whether the client activated the extension for decisions. */
  isHitl?: boolean;
  /** A failure for which the protocol has no error. The endpoint answers it in the service's own error form. */
  failure?: unknown;
}

/** The call in the form in which the SDK passes it to the request handler. */
export class A2AUser implements User {
  readonly isAuthenticated = true;
  readonly call: A2ACall;

  constructor(call: A2ACall) {
    this.call = call;
  }

  get userName(): string {
    return this.call.caller.actor.userId;
  }
}

export function callOf({ user }: ServerCallContext): A2ACall {
  if (user instanceof A2AUser) return user.call;
  throw new Error('a request of A2A comes without its call');
}

/**
 * Converts a failure to an error of the protocol. A failure without an equivalent is stored in `call`, and the client gets a constant text.
 */
export function toA2AError(call: A2ACall, error: unknown): A2AError {
  if (error instanceof A2AError) return error;
  // `forbidden` is answered in the service's own error form, like all requests that are refused before A2A reads them.
  if (error instanceof AppError && error.status < 500 && error.code !== 'forbidden') {
    const reasons = error.fields.map(({ field, reason }) => `${field}: ${reason}`).join('; ');
    return new RequestMalformedError(reasons || error.message);
  }
  call.failure = error;
  return new A2AError('The server failed to answer the request.');
}
