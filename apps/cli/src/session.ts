import { operatorActor } from '@millwright/auth';
import type { Actor } from '@millwright/audit';
import { createDatabase, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { loadConfig, type Config } from './config.js';

/** What a command works with; the database is connected to on first use and closed after the command. */
export interface Session {
  config: Config;
  db: Database;
  /**
   * Runs a change as the operator: recorded for the oldest platform admin.
   *
   * @throws AppError conflict while the installation has no platform admin.
   */
  change: <Result>(work: (tx: Tx, actor: Actor) => Promise<Result>) => Promise<Result>;
}

/** Opens a session for one command and closes it. */
export async function withSession<Result>(
  env: NodeJS.ProcessEnv,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(env);
  const db = createDatabase({ url: config.DATABASE_URL, poolMax: 2 });
  const change: Session['change'] = (task) =>
    db.transaction(async (tx) => {
      const actor = await operatorActor(tx);
      if (!actor) {
        throw new AppError('conflict', {
          fields: [{ field: 'users', reason: 'create a platform admin first: users create --platform-admin' }],
        });
      }
      return task(tx, actor);
    });
  try {
    return await work({ config, db, change });
  } finally {
    await db.close();
  }
}
