/** The source of the text: the input of the run, the output of its model, the results of its tools. */
export const GUARD_POINTS = ['input', 'output', 'tools'] as const;
export type GuardPoint = (typeof GUARD_POINTS)[number];
