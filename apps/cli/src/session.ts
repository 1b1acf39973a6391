import { hostname, userInfo } from 'node:os';
import { operatorActor } from '@millwright/accounts';
import type { Actor } from '@millwright/audit';
import { createDatabase, directUrl, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { loadConfig, type Config } from './config.js';
import { homeFolder } from './files/home-folder.js';
import { loggedInActor } from './files/profiles.js';
import type { Terminal } from './terminal.js';

/** Configuration and database of one command. The database connects on first use and closes after the command. */
export interface CliSession {
  terminal: Terminal;
  config: Config;
  db: Database;
  /**
   * Returns the accountable actor: the logged-in admin, otherwise the oldest platform admin. Returns `undefined` when the installation has
   * no platform admin.
   */
  actorOf: (tx: Tx) => Promise<Actor | undefined>;
  /**
   * Runs a change as the accountable actor.
   *
   * @throws AppError conflict while the installation has no platform admin.
   */
  change: <Result>(work: (tx: Tx, actor: Actor) => Promise<Result>) => Promise<Result>;
}

/** Returns values that the detail of every audit row of a command contains. They distinguish these rows from rows of the console. */
export function commandOrigin(): Readonly<Record<string, string>> {
  return { via: 'cli', os_user: userName(), host: hostname() };
}

/** Returns the name of the operating system's user, or the user's number: in a container, the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Milliseconds to wait for a busy database. */
const CONNECT_MS = 10_000;

/** Opens a session, runs the work of one command in it, and closes the session. */
export async function withCliSession<Result>(
  terminal: Terminal,
  work: (session: CliSession) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(terminal.env);
  const db = createDatabase({ url: directUrl(config), poolMax: 2, acquireTimeoutMs: CONNECT_MS });
  const actorOf: CliSession['actorOf'] = async (tx) => {
    const actor = (await loggedInActor(db, homeFolder(config))) ?? (await operatorActor(tx));
    return actor && { ...actor, origin: commandOrigin() };
  };
  const change: CliSession['change'] = (task) =>
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
    return await work({ terminal, config, db, actorOf, change });
  } finally {
    await db.close();
  }
}
