import { setImmediate as nextTurn } from 'node:timers/promises';
import { stableLength, merged, type Detection } from './detect.js';
import type { FilterFailure } from './filter.js';
import type { Found } from './found.js';
import type { GuardAction } from './guard.js';

/** The number of finds of one guard, and its action. */
export interface Finding {
  guard: string;
  action: GuardAction | 'allow';
  count: number;
  /** The code that an external guard gave as its reason. */
  reason?: string | undefined;
  /** The reason why an external guard gave no decision. The action then follows from the setting of the guard. */
  failure?: FilterFailure | undefined;
  /** Number of earlier messages that an external guard blocked. `count` includes these messages. */
  messages_left_out?: number | undefined;
}

/** Collects the findings of a text. */
export class Findings {
  readonly #byGuard = new Map<string, Finding>();
  readonly #decisions: Finding[] = [];

  add(guard: string, action: GuardAction, count = 1): void {
    const before = this.#byGuard.get(guard);
    this.#byGuard.set(guard, { guard, action, count: (before?.count ?? 0) + count });
  }

  /** Adds the decision of an external guard. */
  addDecision(decision: Finding): void {
    this.#decisions.push(decision);
  }

  get all(): Finding[] {
    return [...this.#byGuard.values(), ...this.#decisions];
  }

  /** The first finding whose action is `block`. */
  get block(): Finding | undefined {
    return this.all.find(({ action }) => action === 'block');
  }

  /** Name of the guard of the finding in {@link block}. */
  get blockedBy(): string | undefined {
    return this.block?.guard;
  }
}

/** Returns the text that replaces a match. */
export const replacementOf = (guard: string): string => `[removed: ${guard}]`;

/** Maximum number of characters that are kept until they can be released. Beyond it, the first half is released with its matches redacted. */
const MOST_PENDING = 24_576;
/** Number of characters before an index that decide whether a match starts at the index. */
const CONTEXT = 64;

/** Redacts a text that arrives in chunks. The result does not depend on where the chunks end. */
export function createRedactor({ find, actions }: Detection, findings: Findings) {
  let before = '';
  let pending = '';
  /** An already redacted match whose rest is in the pending text. */
  let removed: Found | undefined;

  function take(isEnd: boolean): string {
    const text = before + pending;
    const found = merged([...(removed ? [removed] : []), ...find(text, before.length)], actions);
    let until = isEnd ? text.length : Math.max(before.length, stableLength(text, found));
    const isForced = text.length - until > MOST_PENDING;
    if (isForced) until = text.length - MOST_PENDING / 2;
    let redacted = '';
    let place = before.length;
    const former = removed;
    removed = undefined;
    for (const next of found) {
      if (next.start >= until) break;
      const action = actions.get(next.guard) ?? 'off';
      const isNew = former === undefined || next.start > former.start;
      if (isNew) findings.add(next.guard, action);
      redacted += text.slice(place, next.start);
      const end = Math.min(next.end, until);
      if (action === 'flag') redacted += text.slice(next.start, end);
      else if (isNew) redacted += replacementOf(next.guard);
      place = end;
      if (next.end > until) removed = next;
    }
    redacted += text.slice(place, until);
    before = text.slice(Math.max(0, until - CONTEXT), until);
    pending = text.slice(until);
    if (removed) removed = { ...removed, start: before.length, end: before.length + removed.end - until };
    return redacted;
  }

  return {
    /** Adds a chunk of the text. @returns the part that can no longer change, redacted */
    push(part: string): string {
      pending += part;
      return take(false);
    },
    /** Ends the text. @returns the rest of the text, redacted */
    end: (): string => take(true),
  };
}
export type Redactor = ReturnType<typeof createRedactor>;

/** Number of characters that are processed before the function yields to the event loop. */
const PART = 16_384;

/** Redacts a whole text. Yields to the event loop between the chunks of a long text. */
export async function redactText(detection: Detection, text: string, findings: Findings): Promise<string> {
  const redactor = createRedactor(detection, findings);
  let redacted = '';
  for (let start = 0; start < text.length; start += PART) {
    if (start > 0) await nextTurn();
    redacted += redactor.push(text.slice(start, start + PART));
  }
  return redacted + redactor.end();
}
