/** Address of the console's page with all decisions that wait. `baseUrl`: the console's origin (`BASE_URL`). */
export const inboxAt = (baseUrl: string): string => `${baseUrl}/admin/inbox`;

/** Address of the console's page of a run, on which the decisions about its calls are made. `run`: public id. */
export const runPageAt = (baseUrl: string, run: string): string => `${baseUrl}/admin/runs/${run}`;
