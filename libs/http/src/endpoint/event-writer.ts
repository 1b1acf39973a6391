/** One server-sent event (WHATWG HTML §9.2); `data` is sent as JSON. */
export interface ServerEvent {
  /** The id that a client sends as `Last-Event-ID` when it connects again. */
  id?: string;
  event?: string;
  data: unknown;
}
/** Writes an event. False: the connection has no room for more, see `drain` of streams. */
export type Emit = (event: ServerEvent) => boolean;

/** Writes events to a client that may be slower than what it reads from. */
export interface Feed {
  /** Begins the answer before its first event. */
  open: () => void;
  /** Resolves when the client takes the next one, or has left. */
  send: (event: Required<ServerEvent>) => Promise<void>;
}

/** Writes an endpoint's answer as events. Writers of an endpoint add methods for its own events. */
export interface EventWriter {
  /** The whole answer: the last event, or the only one of a stored answer. `status` is that of the answer without a stream. */
  end: (body: unknown, status?: number) => void;
  /** The error envelope of a failure after the first event. */
  fail: (body: object) => void;
}
