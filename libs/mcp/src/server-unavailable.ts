/**
 * Error for a server that cannot be reached, that failed, or that is not called for a while because it failed too
 * often.
 */
export class ServerUnavailable extends Error {
  override name = 'ServerUnavailable';
}

/**
 * Error for a limit that is reached: the project's concurrent calls to the server's address, or the bytes of servers'
 * messages in memory.
 */
export class ServerBusy extends ServerUnavailable {
  override name = 'ServerBusy';
}

/** Error for a server that was not called at all. */
export class ServerNotCalled extends ServerUnavailable {
  override name = 'ServerNotCalled';
}

/**
 * Recognises the reason of `AbortSignal.timeout`: a DOMException that may come from another realm, so it may not be an
 * instance of this realm's `Error`.
 */
export const isTimeout = (reason: unknown): boolean =>
  typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
