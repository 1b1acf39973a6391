import { operatorActor } from '@millwright/auth';
import type { Actor } from '@millwright/audit';
import { createDatabase, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { loadConfig, type Config } from './config.js';
import { homeFolder } from './files/home-folder.js';
import { loggedInActor } from './files/profiles.js';

/** What a command works with; the database is connected to on first use and closed after the command. */
export interface Session {
  config: Config;
  db: Database;
  /** Who answers for what is done: the user logged in, else the oldest platform admin; none in an empty installation. */
  actorOf: (tx: Tx) => Promise<Actor | undefined>;
  /**
   * Runs a change as that user.
   *
   * @throws AppError conflict while the installation has no platform admin.
   */
  change: <Result>(work: (tx: Tx, actor: Actor) => Promise<Result>) => Promise<Result>;
}

/** Somebody who typed a command would rather wait than be told that the database is busy. */
const CONNECT_MS = 10_000;

/** Opens a session for one command and closes it. */
export async function withSession<Result>(
  env: NodeJS.ProcessEnv,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(env);
  const db = createDatabase({ url: config.DATABASE_URL, poolMax: 2, acquireTimeoutMs: CONNECT_MS });
  const actorOf: Session['actorOf'] = async (tx) =>
    (await loggedInActor(db, homeFolder(config))) ?? (await operatorActor(tx));
  const change: Session['change'] = (task) =>
    db.transaction(async (tx) => {
      const actor = await actorOf(tx);
      if (!actor) {
        throw new AppError('conflict', {
          fields: [{ field: 'users', reason: 'create a platform admin first: users create --platform-admin' }],
        });
      }
      return task(tx, actor);
    });
  try {
    return await work({ config, db, actorOf, change });
  } finally {
    await db.close();
  }
}
