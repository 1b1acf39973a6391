export type EgressFailure = 'refused' | 'unresolvable' | 'timeout' | 'too_large' | 'network';

/** An outbound call that did not end in a whole answer. The `cause` is for logs: it may name addresses inside our network. */
export class EgressError extends Error {
  readonly kind: EgressFailure;

  constructor(kind: EgressFailure, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'EgressError';
    this.kind = kind;
  }
}

/** The rules do not allow this call; no byte of it was sent to the refused address. */
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

/** What went wrong on the wire, as an EgressError that keeps the original as its cause. */
export function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const kind = kindByCode[code] ?? 'network';
  return new EgressError(kind, `The outbound call failed (${code || kind}).`, { cause: error });
}
