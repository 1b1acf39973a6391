import { setImmediate as nextTurn } from 'node:timers/promises';

/** Limit of nested levels. Deeper values are removed. */
const MOST_LEVELS = 200;
/** Minimum number of digits of a number that is also guarded as a text. */
const LEAST_DIGITS = 7;
/** Number of characters that are processed before the function yields to the event loop. */
const PART = 16_384;

/** Rules for replacing the texts in a JSON value. */
export interface TextRules {
  /** Returns the replacement of a text that is not JSON. `isName`: the text is the name of a property. */
  text: (text: string, isName: boolean) => Promise<string> | string;
  /**
   * Returns a function that replaces the value of a property after the texts in the value were replaced. Returns
   * undefined when no additional rule applies to the value.
   */
  member?: (name: string, value: unknown) => ((replaced: unknown) => unknown) | undefined;
}

interface Walk {
  rules: TextRules;
  /** Number of characters that were processed since the function last yielded to the event loop. */
  done: number;
}

async function leafOf(walk: Walk, text: string, isName = false): Promise<string> {
  if (walk.done > PART) {
    walk.done = 0;
    await nextTurn();
  }
  walk.done += text.length;
  return walk.rules.text(text, isName);
}

async function textOf(walk: Walk, text: string, level: number): Promise<string> {
  const inner = level < MOST_LEVELS ? parsed(text) : undefined;
  if (inner === undefined) return leafOf(walk, text);
  walk.done += text.length;
  const replaced = await valueOf(walk, inner, level + 1);
  return replaced === inner ? text : JSON.stringify(replaced);
}

async function memberOf(walk: Walk, name: string, value: unknown, level: number): Promise<unknown> {
  const rule = walk.rules.member?.(name, value);
  const replaced = await valueOf(walk, value, level);
  return rule ? rule(replaced) : replaced;
}

async function valueOf(walk: Walk, value: unknown, level: number): Promise<unknown> {
  if (typeof value === 'string') return textOf(walk, value, level);
  if (typeof value === 'number') {
    const text = String(value);
    if (text.length < LEAST_DIGITS) return value;
    const replaced = await leafOf(walk, text);
    return replaced === text ? value : replaced;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (level >= MOST_LEVELS) return null;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value as unknown[]) items.push(await valueOf(walk, item, level + 1));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const members: [string, unknown][] = [];
  let isSame = true;
  for (const [name, member] of Object.entries(value)) {
    const replaced = [await leafOf(walk, name, true), await memberOf(walk, name, member, level + 1)] as const;
    isSame &&= replaced[0] === name && replaced[1] === member;
    members.push([...replaced]);
  }
  return isSame ? value : Object.fromEntries(members);
}

/** Reviver for JSON.parse. It returns a number as a string when JavaScript cannot represent all digits of the number exactly. */
const exact = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^[0-9]{16,}$/.test(context?.source ?? '')
    ? context?.source
    : value;

/** Parses a text that contains a JSON object or list. Returns undefined for any other text. */
function parsed(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text, exact) as object;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the texts of a JSON value: strings, long numbers and names of properties. JSON within a string is parsed,
 * and its texts are replaced too. Yields to the event loop between the parts of a long value.
 *
 * @returns the value itself when nothing was replaced
 */
export const replaceTexts = async <Value>(value: Value, rules: TextRules): Promise<Value> =>
  (await valueOf({ rules, done: 0 }, value, 0)) as Value;
