import { isJsonObject } from '@millwright/json';

/** Maximum depth of nesting. Checking, storing and sending deeper values could fail. */
const DEEPEST = 64;

/** Parses a model's answer as JSON; `undefined` for prose and for values nested too deeply. */
export function parseAnswer(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(DEEPEST, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Parses a model's answer as a JSON object; returns `undefined` for other answers. */
export function parseAnswerObject(text: string): Record<string, unknown> | undefined {
  const value = parseAnswer(text);
  return isJsonObject(value) ? value : undefined;
}

/**
 * Whether a value is nested deeper than `levels`. The function is not recursive, because a long answer can be nested deeper than the stack allows.
 */
function isDeeperThan(levels: number, root: unknown): boolean {
  let layer = [root];
  for (let level = 0; layer.length > 0; level += 1) {
    if (level > levels) return true;
    layer = layer.flatMap((value): unknown[] =>
      typeof value === 'object' && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
