/** Deeper values are none that we could check, store and send on. */
const DEEPEST = 64;

/** The JSON value that a model's answer is, or `undefined` when it is prose, or nested beyond use. */
export function parseAnswer(text: string): unknown {
  try {
    const value = JSON.parse(text) as unknown;
    return isDeeperThan(DEEPEST, value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** The object that a model's answer is, or `undefined`. */
export function parseAnswerObject(text: string): Record<string, unknown> | undefined {
  const value = parseAnswer(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Without recursion: a model can nest as deep as its answer is long. */
function isDeeperThan(levels: number, root: unknown): boolean {
  let layer = [root];
  for (let level = 0; layer.length > 0; level += 1) {
    if (level > levels) return true;
    layer = layer.flatMap((value) =>
      typeof value === 'object' && value !== null ? Object.values(value as Record<string, unknown>) : [],
    );
  }
  return false;
}
