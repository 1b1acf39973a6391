export { connect, migrate, MigrationMismatch, migrationStatus } from './migrate.js';
export { readMigrations, type Migration } from './read-migrations.js';
