import type pg from 'pg';
import { Prisma, type PrismaClient } from './generated/client.js';
import type { JoiningAdapter } from './joining-adapter.js';
import { RawStatements } from './raw-statements.js';
import type { StatementNames } from './statement-names.js';

/** A transaction. Every change is made in one, together with its audit row and its counters. */
export type Tx = Prisma.TransactionClient;

export interface TransactionDeps {
  prisma: PrismaClient;
  adapter: JoiningAdapter;
  names: StatementNames;
}

interface State {
  isOver: boolean;
}

function requireOpen({ isOver }: State): void {
  if (isOver) throw new Error('the transaction is over');
}

type Delegates = Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>;

/**
 * The present transaction of a connection. Raw statements go directly to the connection, which takes a fraction of the time that they
 * take by Prisma. The first use of a model opens a transaction of Prisma, which joins this one.
 */
class OpenTransaction extends RawStatements {
  readonly #client: pg.PoolClient;
  readonly #deps: TransactionDeps;
  readonly #state: State;
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

  constructor(client: pg.PoolClient, deps: TransactionDeps) {
    const state = { isOver: false };
    super(deps.names, (query) => {
      requireOpen(state);
      return client.query<object>(query);
    });
    this.#client = client;
    this.#deps = deps;
    this.#state = state;
  }

  /** Ends the use of the transaction: later statements are refused. Send COMMIT or ROLLBACK afterwards. */
  async $close(): Promise<void> {
    this.#state.isOver = true;
    this.#end.resolve(undefined);
    await this.#modelsEnd;
  }

  /** The operations of a model, such as `create`. */
  #model(name: string): object {
    const operation =
      (method: string) =>
      async (...given: unknown[]) => {
        requireOpen(this.#state);
        const delegates = (await this.#openModels()) as unknown as Delegates;
        return delegates[name]?.[method]?.(...given);
      };
    return new Proxy({}, { get: (_target, method) => operation(String(method)) });
  }

  #openModels(): Promise<Tx> {
    const { adapter, prisma } = this.#deps;
    this.#models ??= new Promise((resolve, reject) => {
      this.#modelsEnd = adapter.join(this.#client, () =>
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
  const transaction = new OpenTransaction(client, deps);
  let isUsable = true;
  try {
    await client.query('BEGIN');
    // The class has every operation of Prisma's transactions that this workspace uses; models are defined by their names.
    const result = await work(transaction as unknown as Tx);
    await transaction.$close();
    const { command } = await client.query('COMMIT');
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back, because one of its statements failed');
    return result;
  } catch (error) {
    await transaction.$close().catch(() => undefined);
    isUsable = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    throw error;
  } finally {
    client.release(!isUsable);
  }
}
