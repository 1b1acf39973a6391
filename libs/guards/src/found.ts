import type { BuiltInGuard } from './guard.js';

/** A place of a text that a guard is about. */
export interface Found {
  start: number;
  end: number;
  guard: BuiltInGuard;
}

/**
 * Finds the places of a text that begin at or after `from`; the text before is context. Linear in the text, for every text: patterns have
 * bounded repetitions, and what costs more per candidate counts against `checks`.
 */
export type Detector = (text: string, from: number, checks: Checks) => Found[];

/** Limit of the candidates in one part of a text that are checked by a library; further ones count as found. */
const MOST_CHECKS = 4_000;

/** Counts the candidates that are checked. */
export class Checks {
  #left = MOST_CHECKS;

  /** Whether the candidate passes; once there were too many, each does. */
  passes(check: () => boolean): boolean {
    if (this.#left === 0) return true;
    this.#left -= 1;
    return check();
  }
}
