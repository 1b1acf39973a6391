import { AppError } from '@millwright/errors';
import type { FilterFailure } from './filter.js';
import type { GuardPoint } from './guard-points.js';

const FIELDS: Readonly<Record<GuardPoint, string>> = { input: 'content', output: 'answer', tools: 'tool' };
const TEXTS: Readonly<Record<GuardPoint, string>> = {
  input: 'what was sent',
  output: 'what the model wrote',
  tools: 'what a tool answered',
};

const FAILURES: Readonly<Record<FilterFailure, string>> = {
  changed: 'it has changed or is inactive: an admin has to approve it in Guards',
  budget: 'its calls of this minute are used up',
  unavailable: 'it cannot be reached',
  timeout: 'it did not answer in time',
  too_large: 'the text or its answer is too long',
  invalid: 'its answer is invalid',
};

/** The reason why a guard ended the run, in words that contain nothing of the text. */
interface BlockReason {
  /** Reason code that an external guard gave. */
  reason?: string | undefined;
  /** The reason why an external guard gave no decision. */
  failure?: FilterFailure | undefined;
}

/** Error that ends a run because a guard blocked a text. It names the guard and contains nothing of the text. */
export class GuardBlocked extends AppError {
  readonly guard: string;
  readonly point: GuardPoint;

  constructor(guard: string, point: GuardPoint, { reason, failure }: BlockReason = {}) {
    const because = reason === undefined ? '' : ` (${reason})`;
    const why =
      failure === undefined
        ? `was blocked by the guard "${guard}"${because}`
        : `could not be checked by the guard "${guard}": ${FAILURES[failure]}`;
    const cause =
      failure === undefined
        ? `The guard "${guard}" blocked ${TEXTS[point]}${because}.`
        : `The guard "${guard}" could not check ${TEXTS[point]}: ${FAILURES[failure]}.`;
    super('guard_blocked', { cause: new Error(cause), fields: [{ field: FIELDS[point], reason: why }] });
    this.guard = guard;
    this.point = point;
  }
}
