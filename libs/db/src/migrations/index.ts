export { prepareVectors, type VectorState } from './prepare-vectors.js';
export { connect, migrate, MigrationMismatch, migrationStatus, TableInUse } from './migrate.js';
export { readMigrations, type Migration } from './read-migrations.js';
