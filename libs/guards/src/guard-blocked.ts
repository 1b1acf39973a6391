import { AppError } from '@millwright/errors';
import type { GuardPoint } from './guard.js';

const FIELDS: Readonly<Record<GuardPoint, string>> = { input: 'content', output: 'answer', tools: 'tool' };
const TEXTS: Readonly<Record<GuardPoint, string>> = {
  input: 'what was sent',
  output: 'what the model wrote',
  tools: 'what a tool answered',
};

/** A guard ends the run. The error names the guard and contains nothing of the text. */
export class GuardBlocked extends AppError {
  readonly guard: string;
  readonly point: GuardPoint;

  constructor(guard: string, point: GuardPoint) {
    super('guard_blocked', {
      cause: new Error(`The guard "${guard}" blocked ${TEXTS[point]}.`),
      fields: [{ field: FIELDS[point], reason: `was blocked by the guard "${guard}"` }],
    });
    this.guard = guard;
    this.point = point;
  }
}
