/**
 * Reasons of a failed call. `busy`: nothing was sent, because the caller's share of the connections to the origin was
 * used up.
 */
export type EgressFailure = 'refused' | 'unresolvable' | 'busy' | 'timeout' | 'too_large' | 'network';

/**
 * Error for an outbound call that got no complete answer. The `cause` is for logs only: it may name internal addresses.
 */
export class EgressError extends Error {
  readonly kind: EgressFailure;

  constructor(kind: EgressFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'EgressError';
    this.kind = kind;
  }
}

/** An error for a call that the policy does not allow. Nothing was sent to the refused address. */
export class EgressRefused extends EgressError {
  constructor(message: string) {
    super('refused', message);
    this.name = 'EgressRefused';
  }
}

const kindByCode: Readonly<Record<string, EgressFailure>> = {
  ENOTFOUND: 'unresolvable',
  EAI_AGAIN: 'unresolvable',
  EAI_FAIL: 'unresolvable',
  ENODATA: 'unresolvable',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
};

/** Converts a network failure to an EgressError whose cause is the original failure. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const kind = kindByCode[code] ?? 'network';
  return new EgressError(kind, `The outbound call failed (${code || kind}).`, { cause: error });
}
