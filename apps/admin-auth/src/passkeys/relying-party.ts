/** Algorithms that passkeys may use. Both calls pass them, because the library's default varies with the runtime. */
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
