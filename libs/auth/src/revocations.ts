/** PostgreSQL's NOTIFY channel with the accounts whose open streams every process closes. The payload is a user's UUID. */
export const REVOCATIONS = 'millwright_revocations';
