export const RUN_STATES = ['queued', 'running', 'waiting', 'completed', 'failed', 'canceled'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** The states in which a run ends. */
export const END_STATES = ['completed', 'failed', 'canceled'] as const satisfies readonly RunState[];
export type EndState = (typeof END_STATES)[number];

export const WAIT_REASONS = ['approval', 'input', 'budget', 'outcome', 'connection', 'child'] as const;
export type WaitReason = (typeof WAIT_REASONS)[number];

/** The reasons for which a run waits until a person acts. A person ends each such wait for one run only. */
export const PERSON_WAITS = ['approval', 'input', 'outcome', 'connection'] as const satisfies readonly WaitReason[];

/** Reason why the system canceled a run; undefined when a person canceled it. */
export const CANCEL_REASONS = ['agent_stopped', 'parent_ended'] as const;
export type CancelReason = (typeof CANCEL_REASONS)[number];

/** The allowed next states of each state. `running` after `running` is a take-over. */
export const NEXT_STATES: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ['running', 'failed', 'canceled'],
  running: ['running', 'waiting', 'completed', 'failed', 'canceled'],
  waiting: ['queued', 'failed', 'canceled'],
  completed: [],
  failed: [],
  canceled: [],
};

/** Returns the states from which a run may change to the given state. */
export const statesBefore = (state: RunState): RunState[] =>
  RUN_STATES.filter((before) => NEXT_STATES[before].includes(state));

export const hasEnded = (state: RunState): state is EndState => NEXT_STATES[state].length === 0;
