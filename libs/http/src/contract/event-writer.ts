/** One server-sent event (WHATWG HTML §9.2). `data` is sent as JSON; `text` is one line and is sent unchanged. */
export interface ServerEvent {
  /** The id that a client sends as `Last-Event-ID` when it connects again. */
  id?: string;
  event?: string;
  data?: unknown;
  text?: string;
}
/** Writes an event. Returns `false` when the buffer of the connection is full (see `drain` of streams). */
export type Emit = (event: ServerEvent) => boolean;

/** Writes events to a client that may be slower than their source. */
export interface Feed {
  /** Sends the headers of the answer before its first event. */
  open: () => void;
  /** Sends an event. Resolves when the client can receive the next event, or has disconnected. */
  send: (event: Required<Omit<ServerEvent, 'text'>>) => Promise<void>;
}

/**
 * Writes the answer of an endpoint as events. An endpoint's own writer adds methods for the events of that endpoint.
 */
export interface EventWriter {
  /**
   * Sends the whole answer as the last event, or as the only event of a stored answer. `status` is the status that the
   * answer has without a stream.
   */
  end: (body: unknown, status?: number) => void;
  /** Sends the error envelope of a failure after the first event. */
  fail: (body: object) => void;
}
