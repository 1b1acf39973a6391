import { asRole, createDatabase } from '@millwright/db';
import { sendEventsRepeatedly } from './index.js';
import { openEgress, secrets } from './test-events.js';

/** A sender that runs in its own process and that tests kill. argv: the URL of the database. */
const [, , databaseUrl = ''] = process.argv;
const pool = { poolMax: 5, acquireTimeoutMs: 30_000 };

sendEventsRepeatedly({
  db: createDatabase({ url: asRole(databaseUrl, 'admin-auth'), ...pool }),
  request: openEgress().request,
  secrets,
  checkEvery: 200,
  onError: (error) => process.stderr.write(`${String(error)}\n`),
});
process.stdout.write('ready\n');
