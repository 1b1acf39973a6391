import type pg from 'pg';
import { Prisma } from './generated/client.js';
import { RAW_TYPES, toParameter } from './raw-values.js';
import type { StatementNames } from './statement-names.js';

type RawQuery = Prisma.Sql | TemplateStringsArray;

type Send = (query: pg.QueryConfig) => Promise<pg.QueryResult<object>>;

/** Prisma's operations for raw statements, implemented with `pg` alone. Parameters and the values in rows are the same as with Prisma. */
export class RawStatements {
  readonly #names: StatementNames;
  readonly #send: Send;

  constructor(names: StatementNames, send: Send) {
    this.#names = names;
    this.#send = send;
  }

  async $queryRaw(query: RawQuery, ...values: unknown[]): Promise<unknown[]> {
    return (await this.#sendQuery(query, values)).rows;
  }

  async $executeRaw(query: RawQuery, ...values: unknown[]): Promise<number> {
    return (await this.#sendQuery(query, values)).rowCount ?? 0;
  }

  /** The operation for libraries that compose their statements themselves, such as pg-boss. */
  async $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown[]> {
    return (await this.#sendText(text, values)).rows;
  }

  #sendQuery(query: RawQuery, values: readonly unknown[]): Promise<pg.QueryResult<object>> {
    const sql = query instanceof Prisma.Sql ? query : Prisma.sql(query, ...values);
    return this.#sendText(sql.text, sql.values);
  }

  #sendText(text: string, values: readonly unknown[]): Promise<pg.QueryResult<object>> {
    const name = this.#names.of(text);
    const query = { text, values: values.map(toParameter), types: RAW_TYPES };
    return this.#send(name === undefined ? query : { ...query, name });
  }
}
