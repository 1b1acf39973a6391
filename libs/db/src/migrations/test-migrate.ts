import { migrate } from './migrate.js';
import { readMigrations } from './read-migrations.js';

/** A runner as a process of its own, which a test kills: `<url> <folder of migrations>`. */
const [url = '', folder = ''] = process.argv.slice(2);
await migrate(url, readMigrations(folder));
