import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Detection } from './detect.js';
import { createRedactor, redactText, replacementOf, type Findings } from './redactor.js';
import { SECRET_NAME } from './secrets.js';

/** Limit of nested levels; deeper values are removed. */
const MOST_LEVELS = 200;
/** Number of digits of the shortest number that guards find. */
const LEAST_DIGITS = 7;
/** Characters processed before yielding to the event loop. */
const PART = 16_384;

interface Walk {
  detection: Detection;
  findings: Findings;
  /** Characters processed since the last yield to the event loop. */
  done: number;
}

async function textOf(walk: Walk, text: string, level: number): Promise<string> {
  if (walk.done > PART) {
    walk.done = 0;
    await nextTurn();
  }
  walk.done += text.length;
  const inner = level < MOST_LEVELS ? parsed(text) : undefined;
  if (inner !== undefined) {
    const redacted = await valueOf(walk, inner, level + 1);
    return redacted === inner ? text : JSON.stringify(redacted);
  }
  if (text.length > PART) return redactText(walk.detection, text, walk.findings);
  const redactor = createRedactor(walk.detection, walk.findings);
  return redactor.push(text) + redactor.end();
}

async function memberOf(walk: Walk, name: string, value: unknown, level: number): Promise<unknown> {
  const action = walk.detection.actions.get('secrets');
  if (action === undefined || typeof value !== 'string' || value.length < 4 || !SECRET_NAME.test(name))
    return valueOf(walk, value, level);
  if (value === replacementOf('secrets')) return value;
  walk.findings.add('secrets', action);
  // Another guard may be stricter: it blocks, or redacts what this one flags.
  const read = await valueOf(walk, value, level);
  return action === 'flag' ? read : replacementOf('secrets');
}

/** Redacts a value; returns the same object when nothing was found in it. */
async function valueOf(walk: Walk, value: unknown, level: number): Promise<unknown> {
  if (typeof value === 'string') return textOf(walk, value, level);
  if (typeof value === 'number') {
    const text = String(value);
    if (text.length < LEAST_DIGITS) return value;
    const redacted = await textOf(walk, text, MOST_LEVELS);
    return redacted === text ? value : redacted;
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
    const redacted = [await textOf(walk, name, MOST_LEVELS), await memberOf(walk, name, member, level + 1)] as const;
    isSame &&= redacted[0] === name && redacted[1] === member;
    members.push([...redacted]);
  }
  return isSame ? value : Object.fromEntries(members);
}

/** Reviver for JSON.parse: reads numbers with more digits than JavaScript represents exactly as strings. */
const exact = (_name: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^[0-9]{16,}$/.test(context?.source ?? '')
    ? context?.source
    : value;

/** Parses a text to an object or a list; undefined for any other text. */
function parsed(text: string): object | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text, exact) as object;
  } catch {
    return undefined;
  }
}

/** Redacts the strings, numbers and property names within a value. @returns the value itself when nothing was found */
export const redactValue = async <Value>(detection: Detection, value: Value, findings: Findings): Promise<Value> =>
  (await valueOf({ detection, findings, done: 0 }, value, 0)) as Value;

/** Redacts a text that may be JSON: its parsed values, so that escapes hide nothing. */
export const redactJsonText = (detection: Detection, text: string, findings: Findings): Promise<string> =>
  textOf({ detection, findings, done: 0 }, text, 0);
