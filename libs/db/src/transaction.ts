import type pg from 'pg';
import { Prisma, type PrismaClient } from './generated/client.js';
import type { JoiningAdapter } from './joining-adapter.js';
import { RawStatements } from './raw-statements.js';
import type { StatementNames } from './statement-names.js';

/** A transaction. Every change is made in a transaction, together with its audit row and its counters. */
export type Tx = Omit<Prisma.TransactionClient, '$executeRawUnsafe'>;

export interface TransactionDeps {
  prisma: PrismaClient;
  adapter: JoiningAdapter;
  names: StatementNames;
}

/**
 * The part of a connection that a transaction uses. After the end of the transaction it refuses every statement, also the remaining
 * statements of a running Prisma operation, because the connection may already belong to another transaction.
 */
type Connection = Pick<pg.PoolClient, 'query'>;

function revocableConnection(client: pg.PoolClient): { connection: Connection; revoke: () => void } {
  let isOver = false;
  const query = (config: pg.QueryConfig) =>
    isOver ? Promise.reject(new Error('the transaction is over')) : client.query(config);
  return { connection: { query: query as Connection['query'] }, revoke: () => void (isOver = true) };
}

type Delegates = Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>;

/**
 * The present transaction of a connection. Raw statements are sent directly on the connection, which is several times faster than through
 * Prisma. The first use of a model opens a transaction of Prisma, which joins this transaction.
 */
class OpenTransaction extends RawStatements {
  readonly #connection: Connection;
  readonly #deps: TransactionDeps;
  readonly #end = Promise.withResolvers<undefined>();
  #models: Promise<Tx> | undefined;
  #modelsEnd: Promise<unknown> | undefined;

  static {
    for (const model of Object.values(Prisma.ModelName)) {
      const name = model.charAt(0).toLowerCase() + model.slice(1);
      Object.defineProperty(this.prototype, name, {
        get(this: OpenTransaction) {
          return this.#model(name);
        },
      });
    }
  }

  constructor(connection: Connection, deps: TransactionDeps) {
    super(deps.names, (query) => connection.query<object>(query));
    this.#connection = connection;
    this.#deps = deps;
  }

  /** Ends the transaction of Prisma that was opened for models, if there is one. */
  async $close(): Promise<void> {
    this.#end.resolve(undefined);
    await this.#modelsEnd;
  }

  /** Returns the operations of a model, such as `create`. */
  #model(name: string): object {
    const operation =
      (method: string) =>
      async (...given: unknown[]) => {
        const delegates = (await this.#openModels()) as unknown as Delegates;
        return delegates[name]?.[method]?.(...given);
      };
    return new Proxy({}, { get: (_target, method) => operation(String(method)) });
  }

  #openModels(): Promise<Tx> {
    const { adapter, prisma } = this.#deps;
    this.#models ??= new Promise((resolve, reject) => {
      this.#modelsEnd = adapter.join(this.#connection, () =>
        prisma.$transaction((tx) => {
          resolve(tx);
          return this.#end.promise;
        }),
      );
      this.#modelsEnd.catch(reject);
    });
    return this.#models;
  }
}

/**
 * Runs `work` in a transaction, which is committed when `work` resolves, and rolled back when `work` or a statement fails.
 *
 * @throws the failure of the pool, of `work` or of a statement
 */
export async function runTransaction<Result>(
  pool: pg.Pool,
  deps: TransactionDeps,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const { connection, revoke } = revocableConnection(client);
  const transaction = new OpenTransaction(connection, deps);
  async function end(): Promise<void> {
    revoke();
    await transaction.$close();
  }
  let isUsable = true;
  try {
    await client.query('BEGIN');
    // The class has every operation of Prisma's transactions that this workspace uses. The type does not show the models, because their
    // properties are defined at run time.
    const result = await work(transaction as unknown as Tx);
    await end();
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because one of its statements failed');
    return result;
  } catch (error) {
    await end().catch(() => undefined);
    isUsable = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    client.release(!isUsable);
  }
}
