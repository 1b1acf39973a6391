import { MIGRATIONS_LOCK } from './migrations/migrate.js';
import { ROLES_LOCK } from './roles.js';

/**
 * The numbers of the installation's advisory locks: PostgreSQL has one space of them for all processes, so that two uses of one number
 * would wait for each other. A lock of a text (a project, a subject) takes its number as the seed of the text's hash. Processes of two
 * releases work at the same time: a number that a release used stays.
 */
export const ADVISORY_LOCKS = {
  /** Seed of texts that begin with a name of their own. */
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
  /** Of processes that take queued runs; those that start runs share it. */
  runQueue: 7_246_110,
  /** Of processes that start a run of a project near its limit. */
  projectRuns: 7_246_111,
} as const;
