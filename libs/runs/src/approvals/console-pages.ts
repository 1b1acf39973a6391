/**
 * Address of the page of the console with all decisions that wait. `baseUrl` is the origin of the console (`BASE_URL`).
 */
export const inboxAt = (baseUrl: string): string => `${baseUrl}/admin/inbox`;

/** Address of the page of the console on which a person decides about the calls of a run. `run` is the public id. */
export const runPageAt = (baseUrl: string, run: string): string => `${baseUrl}/admin/runs/${run}`;
