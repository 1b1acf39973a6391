import { findEmails } from './email.js';
import { Checks, type Detector, type Found } from './found.js';
import type { GuardPoint } from './guard-points.js';
import { isStricter, type BuiltInGuard, type GuardAction, type GuardPolicy } from './guard.js';
import { findCards, findIbans, findPhones, OPEN_NUMBER, withSeparators } from './numbers.js';
import { findSecrets, OPEN_SECRET } from './secrets.js';

/** The action of each active guard at one point. No action is `off`. */
export type Actions = ReadonlyMap<BuiltInGuard, GuardAction>;

/** The guards that are active at a guard point. */
export interface Detection {
  actions: Actions;
  /** Returns the matches that start at or after `from`, in order, without overlaps. */
  find: (text: string, from: number) => Found[];
}

/** The order in which guards have priority when guards with the same action match the same text. */
const ORDER: readonly BuiltInGuard[] = ['secrets', 'iban', 'card', 'email', 'phone'];

export function detectionFor({ rules, phone_countries }: GuardPolicy, point: GuardPoint): Detection | undefined {
  const detectors: Record<BuiltInGuard, Detector> = {
    secrets: findSecrets,
    email: findEmails,
    phone: findPhones(phone_countries),
    card: findCards,
    iban: findIbans,
  };
  const active = ORDER.flatMap((guard) => {
    const action = rules[guard]?.[point] ?? 'off';
    return action === 'off' ? [] : [[guard, action] as const];
  });
  if (active.length === 0) return undefined;
  const actions: Actions = new Map(active);
  return {
    actions,
    find(text, from) {
      const checks = new Checks();
      return merged(
        active.flatMap(([guard]) => detectors[guard](text, from, checks)),
        actions,
      );
    },
  };
}

/**
 * Merges overlapping matches into one. The merged match belongs to the guard with the strictest action, and among equal
 * actions to the first guard in {@link ORDER}.
 */
export function merged(all: readonly Found[], actions: Actions): Found[] {
  const actionOf = ({ guard }: Found): GuardAction => actions.get(guard) ?? 'off';
  const wins = (one: Found, other: Found): boolean =>
    actionOf(one) === actionOf(other)
      ? ORDER.indexOf(one.guard) < ORDER.indexOf(other.guard)
      : isStricter(actionOf(one), actionOf(other));
  const found: Found[] = [];
  for (const next of all.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = found.at(-1);
    if (!last || next.start >= last.end) {
      found.push({ ...next });
      continue;
    }
    // Here the secret is the password in an address. The e-mail match adds only the host after the password, so the match is not extended.
    if (last.guard === 'secrets' && next.guard === 'email' && wins(last, next)) continue;
    last.end = Math.max(last.end, next.end);
    if (wins(next, last)) last.guard = next.guard;
  }
  return found;
}

/** Maximum number of characters of an unfinished word that are kept until the word ends. When the word is longer, its beginning is released. */
const WORD = 1_024;
/** Length of the end of a text in which a number, or a secret with spaces, may begin. */
const PHRASE = 400;

/**
 * Returns the index up to which the result stays the same when more text arrives. A match that reaches the end of the
 * text may grow. At most the longest secret and {@link WORD} characters stay undecided.
 */
export function stableLength(text: string, found: readonly Found[]): number {
  const tail = text.slice(-WORD);
  const word = tail.length - (/\S*$/.exec(tail)?.[0].length ?? 0);
  let until = text.length - tail.length + word;
  for (const [open, read] of [
    [OPEN_SECRET, (part: string) => part],
    [OPEN_NUMBER, withSeparators],
  ] as const) {
    const begin = Math.max(0, until - PHRASE);
    const phrase = open.exec(read(text.slice(begin, until)));
    if (phrase) until = begin + phrase.index;
    const inWord = open.exec(read(text.slice(-PHRASE)));
    if (inWord) until = Math.min(until, Math.max(0, text.length - PHRASE) + inWord.index);
  }
  for (const { start, end } of found) if (start < until && (end > until || end === text.length)) until = start;
  return until;
}
