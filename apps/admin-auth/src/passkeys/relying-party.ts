/**
 * Algorithms that passkeys may use. The start and the end of an enrolment pass the same algorithms, because the default of the library
 * varies with the runtime.
 */
export const ALGORITHMS = [-8, -7, -257];

export interface RelyingParty {
  /** Scheme, host and port of the console, exactly. */
  origin: string;
  /** Host of the console without port (WebAuthn §5.1.2). */
  id: string;
}

export function relyingParty(baseUrl: string): RelyingParty {
  const { origin, hostname } = new URL(baseUrl);
  return { origin, id: hostname };
}
