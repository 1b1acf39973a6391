/** What shows agents: area B's records, and area C's registry of those that answer. */
export const REFRESH = [
  ['platform', 'api', 'v1', 'agents'],
  ['runtime', 'api', 'v1', 'agents'],
];
