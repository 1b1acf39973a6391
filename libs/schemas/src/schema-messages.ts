import type { SchemaFault } from './schema-fault.js';

/** Most compiled schemas that a worker keeps, the least recently used dropped first. */
export const MOST_SCHEMAS = 500;

/** Request of the calling thread to its worker. A validation has no schema when the worker should have it cached. */
export type SchemaRequest =
  | { kind: 'compile'; schema: object }
  | { kind: 'validate'; key: string; schema: object | undefined; instance: unknown };

/** `schema wanted`: the worker has dropped that key. Send the request again with the schema. */
export type SchemaReply = { kind: 'ready' } | { kind: 'checked'; faults: SchemaFault[] } | { kind: 'schema wanted' };
