/** What shows content: area B's records, and area C's search. */
export const REFRESH = [
  ['platform', 'api', 'v1', 'content'],
  ['runtime', 'api', 'v1', 'content'],
];
