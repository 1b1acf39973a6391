/** How often prompt-api is killed while it runs a prompt; `npm run faults:keyed-runs` does it more often. */
export const keyedRunKills = Number(process.env['KEYED_RUN_KILLS'] ?? 12);
