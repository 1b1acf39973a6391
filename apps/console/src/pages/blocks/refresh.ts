/** What shows blocks: their own records, and how prompts read. */
export const REFRESH = [
  ['prompt', 'v1', 'block'],
  ['prompt', 'v1', 'render'],
];
