import type { SchemaFault } from './schema-fault.js';

/** Maximum number of compiled schemas in a worker's cache, which drops the least recently used first. */
export const MOST_SCHEMAS = 500;

/**
 * Request of the calling thread to its worker. A validation contains no schema when the worker probably has the schema
 * in its cache.
 */
export type SchemaRequest =
  | { kind: 'compile'; schema: object }
  | { kind: 'validate'; key: string; schema: object | undefined; instance: unknown };

/** `schema wanted`: the worker's cache does not have the schema of the key. Send the request again with the schema. */
export type SchemaReply = { kind: 'ready' } | { kind: 'checked'; faults: SchemaFault[] } | { kind: 'schema wanted' };
