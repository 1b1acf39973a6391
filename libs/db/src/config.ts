import { field } from '@millwright/config';

/** Settings of every process that uses the database. */
export const databaseConfig = {
  DATABASE_URL: field.url(['postgresql:', 'postgres:']),
  DATABASE_POOL_MAX: field.integer(1, 500).default(10),
};
