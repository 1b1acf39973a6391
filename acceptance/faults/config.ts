/** Number of kills of prompt-api during runs; `npm run faults:keyed-runs` sets a higher one. */
export const keyedRunKills = Number(process.env['KEYED_RUN_KILLS'] ?? 12);
/** Number of kills of runtime-api during runs of agents; `npm run faults:runs` sets a higher one. */
export const runKills = Number(process.env['RUN_KILLS'] ?? 12);
/** Number of processes of runtime-api in the campaign of `npm run faults:runs`. */
export const runReplicas = Number(process.env['RUN_REPLICAS'] ?? 3);
/** Numbers of processes of the platform API over which limits and quotas are checked to be exact. */
export const limitProcesses = (process.env['LIMIT_PROCESSES'] ?? '1,3,9').split(',').map(Number);
