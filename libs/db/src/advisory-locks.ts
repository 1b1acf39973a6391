import { MIGRATIONS_LOCK } from './migrations/migrate.js';
import { ROLES_LOCK } from './roles.js';

/**
 * The numbers of the installation's advisory locks. All processes share one number space in PostgreSQL: two uses of the
 * same number would wait for each other. A lock for a text, such as a project or a subject, uses its number as the seed
 * of the text's hash. Never change a number that was part of a release: processes of two releases run at the same time.
 */
export const ADVISORY_LOCKS = {
  /** Seed for texts that begin with a prefix. The prefix names the use of the lock. */
  named: 0,
  migrations: MIGRATIONS_LOCK,
  auditSeals: 7_246_102,
  usageRollUp: 7_246_103,
  roles: ROLES_LOCK,
  eventSubjects: 7_246_105,
  webhooks: 7_246_106,
  triggers: 7_246_107,
  budgets: 7_246_108,
  modelPrices: 7_246_109,
  /** Lock of processes that take queued runs. Processes that start runs take the same lock in shared mode. */
  runQueue: 7_246_110,
  /** Lock of processes that start a run of a project that is near its limit of runs. */
  projectRuns: 7_246_111,
  models: 7_246_112,
  projects: 7_246_113,
  knowledgeSources: 7_246_114,
} as const;
