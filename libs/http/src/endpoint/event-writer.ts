/** One server-sent event (WHATWG HTML §9.2); `data` is sent as JSON. */
export interface ServerEvent {
  event?: string;
  data: unknown;
}
export type Emit = (event: ServerEvent) => void;

/** Writes an endpoint's answer as events. Writers of an endpoint add methods for its own events. */
export interface EventWriter {
  /** The whole answer: the last event, or the only one of a stored answer. `status` is that of the answer without a stream. */
  end: (body: unknown, status?: number) => void;
  /** The error envelope of a failure after the first event. */
  fail: (body: object) => void;
}
