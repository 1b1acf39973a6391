import { EgressError } from '@millwright/egress';
import { AppError } from '@millwright/errors';
import { ResponseBodyError } from 'openid-client';

/** Accepted difference between an issuer's clock and our clock, in seconds. */
export const CLOCK_TOLERANCE = 30;

/** Whether the issuer did not answer or failed, so that the user may try again later. */
function isUnavailable(error: unknown): boolean {
  let cause = error;
  for (; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof EgressError) return true;
    if (cause instanceof ResponseBodyError && cause.status >= 500) return true;
  }
  // For a status that the protocol does not define, the library throws the response.
  return cause instanceof Response && cause.status >= 500;
}

/** Makes the refusal of an issuer's answer or token: `unavailable` when the issuer failed, otherwise `unauthorized`. */
export const issuerFailure = (cause: unknown): AppError =>
  new AppError(isUnavailable(cause) ? 'unavailable' : 'unauthorized', { cause });
