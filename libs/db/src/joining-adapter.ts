import { AsyncLocalStorage } from 'node:async_hooks';
import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Connection = Pick<pg.PoolClient, 'query'>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

/** Prisma's adapter for a `pg` pool. Its transactions can join a transaction that is already open on a connection of the pool. */
export class JoiningAdapter extends PrismaPg {
  readonly #joined = new AsyncLocalStorage<Connection>();

  /** Calls `start`, which starts a transaction of Prisma, so that it joins the present transaction of the connection. */
  join<Result>(connection: Connection, start: () => Result): Result {
    return this.#joined.run(connection, start);
  }

  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const startOwn = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = (isolationLevel) => {
      const connection = this.#joined.getStore();
      return connection ? Promise.resolve(joined(adapter, connection)) : startOwn(isolationLevel);
    };
    return adapter;
  }
}

/** Returns a transaction of Prisma that other code commits or rolls back. */
function joined(adapter: Adapter, client: Connection): Transaction {
  // The adapter with this connection instead of the pool.
  const queryable = Object.create(adapter, { client: { value: client } }) as Adapter;
  const nothing = () => Promise.resolve();
  return {
    provider: adapter.provider,
    adapterName: adapter.adapterName,
    // Prisma then sends neither COMMIT nor ROLLBACK itself.
    options: { usePhantomQuery: true },
    queryRaw: (query) => queryable.queryRaw(query),
    executeRaw: (query) => queryable.executeRaw(query),
    commit: nothing,
    rollback: nothing,
  };
}
