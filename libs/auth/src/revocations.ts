/**
 * NOTIFY channel of PostgreSQL for accounts whose open streams every process must close. The payload is the UUID of a
 * user.
 */
export const REVOCATIONS = 'millwright_revocations';
