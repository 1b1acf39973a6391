/** Number of kills of prompt-api during runs; `npm run faults:keyed-runs` sets a higher number. */
export const keyedRunKills = Number(process.env['KEYED_RUN_KILLS'] ?? 12);
/** Number of kills of runtime-api during runs of agents; `npm run faults:runs` sets a higher number. */
export const runKills = Number(process.env['RUN_KILLS'] ?? 12);
/** Number of processes of runtime-api in the campaign of `npm run faults:runs`. */
export const runReplicas = Number(process.env['RUN_REPLICAS'] ?? 3);
/** Number of kills of PostgreSQL, and of Redis, during runs of agents; `npm run faults:run-stores` sets a higher number. */
export const runStoreKills = Number(process.env['RUN_STORE_KILLS'] ?? 2);
/** Number of times that a follower connects again during one run; `npm run faults:followers` sets a higher number. */
export const followerReconnects = Number(process.env['FOLLOWER_RECONNECTS'] ?? 50);
/** Number of stored steps of runs while pages are read; `npm run faults:run-pages` sets a higher number. */
export const storedSteps = Number(process.env['RUN_STEPS'] ?? 200_000);
/** Numbers of processes of the platform API. The test of limits and quotas runs once with each number. */
export const limitProcesses = (process.env['LIMIT_PROCESSES'] ?? '1,3,9').split(',').map(Number);
