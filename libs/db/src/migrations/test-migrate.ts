import { migrate } from './migrate.js';
import { readMigrations } from './read-migrations.js';

/** A runner as a separate process, which a test kills: `<url> <folder of migrations>`. */
const [url = '', folder = ''] = process.argv.slice(2);
await migrate(url, readMigrations(folder));
