import type { BuiltInGuard } from './guard.js';

/** A range of a text that a guard matched. */
export interface Found {
  start: number;
  end: number;
  guard: BuiltInGuard;
}

/**
 * Finds the matches that start at or after `from`. The text before `from` is only context. Takes linear time for every
 * text: patterns have bounded repetitions, and each check by a library counts against `checks`.
 */
export type Detector = (text: string, from: number, checks: Checks) => Found[];

/** Maximum number of checks by a library for each chunk. When it is reached, further candidates are treated as matches. */
const MOST_CHECKS = 4_000;

/** Counts checks by a library. */
export class Checks {
  #left = MOST_CHECKS;

  /** Whether the candidate passes the check; always true beyond the limit. */
  passes(check: () => boolean): boolean {
    if (this.#left === 0) return true;
    this.#left -= 1;
    return check();
  }
}
