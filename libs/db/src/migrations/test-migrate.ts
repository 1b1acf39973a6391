import { migrate } from './migrate.js';
import { readMigrations } from './read-migrations.js';

/** A runner in a separate process that a test kills. Arguments: the URL of the database and the folder of the migrations. */
const [url = '', folder = ''] = process.argv.slice(2);
await migrate(url, readMigrations(folder));
