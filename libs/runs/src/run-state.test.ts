import { END_STATES, hasEnded, NEXT_STATES, RUN_STATES, statesBefore } from './run-state.js';

describe('the states of a run', () => {
  it('have a successor unless the run has ended', () => {
    expect(RUN_STATES.filter(hasEnded)).toEqual([...END_STATES]);
  });

  it('can each be reached from the state `queued`', () => {
    const reached = new Set<string>(['queued']);
    for (const state of reached) for (const next of NEXT_STATES[state as keyof typeof NEXT_STATES]) reached.add(next);
    expect([...reached].sort()).toEqual([...RUN_STATES].sort());
  });

  it('are returned by statesBefore for each state that they can precede', () => {
    for (const state of RUN_STATES)
      for (const before of RUN_STATES)
        expect(statesBefore(state).includes(before)).toBe(NEXT_STATES[before].includes(state));
  });
});
