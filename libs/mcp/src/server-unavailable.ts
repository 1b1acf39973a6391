/** A server that cannot be reached, failed, or is not called for a while because it failed too often. */
export class ServerUnavailable extends Error {
  override name = 'ServerUnavailable';
}

/** A limit is reached: the project's concurrent calls to the server's address, or the bytes of servers' messages. */
export class ServerBusy extends ServerUnavailable {
  override name = 'ServerBusy';
}

/** A server that was not called at all. */
export class ServerNotCalled extends ServerUnavailable {
  override name = 'ServerNotCalled';
}

/** Recognises the reason of `AbortSignal.timeout`: a DOMException, which is not an instance of another realm's `Error`. */
export const isTimeout = (reason: unknown): boolean =>
  typeof reason === 'object' && reason !== null && 'name' in reason && reason.name === 'TimeoutError';
