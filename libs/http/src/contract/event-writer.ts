/** One server-sent event (WHATWG HTML §9.2); `data` is sent as JSON, `text` as it is: one line. */
export interface ServerEvent {
  /** The id that a client sends as `Last-Event-ID` when it connects again. */
  id?: string;
  event?: string;
  data?: unknown;
  text?: string;
}
/** Writes an event; `false` when the connection's buffer is full (see `drain` of streams). */
export type Emit = (event: ServerEvent) => boolean;

/** Writes events to a client that may be slower than their source. */
export interface Feed {
  /** Sends the headers of the answer before its first event. */
  open: () => void;
  /** Resolves when the client can receive the next event, or has disconnected. */
  send: (event: Required<Omit<ServerEvent, 'text'>>) => Promise<void>;
}

/** Writes an endpoint's answer as events. Writers of an endpoint add methods for its own events. */
export interface EventWriter {
  /** Sends the whole answer as the last event, or as the only event of a stored answer. `status`: its status without a stream. */
  end: (body: unknown, status?: number) => void;
  /** Sends the error envelope of a failure after the first event. */
  fail: (body: object) => void;
}
