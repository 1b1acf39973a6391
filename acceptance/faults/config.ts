/** Number of kills of prompt-api during runs; `npm run faults:keyed-runs` sets a higher one. */
export const keyedRunKills = Number(process.env['KEYED_RUN_KILLS'] ?? 12);
