import { field } from '@millwright/config';
import type { SessionLimits } from './sessions.store.js';

/** Default limit of concurrent sessions of an account. */
export const MAX_SESSIONS = 20;

/** Time after which sessions of browsers end: without a request, and in total. The times of admins are shorter. */
export const sessionsConfig = {
  SESSION_ADMIN_IDLE_HOURS: field.integer(1, 24 * 30).default(12),
  SESSION_ADMIN_MAX_DAYS: field.integer(1, 365).default(7),
  SESSION_USER_IDLE_DAYS: field.integer(1, 30).default(30),
  SESSION_USER_MAX_DAYS: field.integer(1, 365).default(90),
  /** Limit of concurrent sessions of an account; a further sign-in ends the least recently used session. */
  SESSION_MAX_PER_USER: field.integer(1, 1_000).default(MAX_SESSIONS),
};

export type SessionsConfig = Record<keyof typeof sessionsConfig, number>;

export const sessionLimits = (config: SessionsConfig): SessionLimits => ({
  admin: { idleHours: config.SESSION_ADMIN_IDLE_HOURS, maxHours: config.SESSION_ADMIN_MAX_DAYS * 24 },
  user: { idleHours: config.SESSION_USER_IDLE_DAYS * 24, maxHours: config.SESSION_USER_MAX_DAYS * 24 },
});
