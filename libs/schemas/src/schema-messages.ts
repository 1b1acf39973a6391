import type { SchemaFault } from './schema-fault.js';

/** What the calling thread asks its worker. A validation leaves the schema out when the worker should have it already. */
export type SchemaRequest =
  | { kind: 'compile'; schema: object }
  | { kind: 'validate'; key: string; schema: object | undefined; instance: unknown };

/** `schema wanted`: the worker has dropped that key, send it again with its schema. */
export type SchemaReply = { kind: 'ready' } | { kind: 'checked'; faults: SchemaFault[] } | { kind: 'schema wanted' };
