import { ApiError } from '../api/client.js';

const BEFORE = 'The request has invalid values: ';

/**
 * Returns the faults of a refused request: a sentence for each field. The error's message has the form `field: reason; field: reason.`
 * A field within a list or an object has a path such as `mcp_tools.0`.
 */
export function fieldFaults(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || !error.message.startsWith(BEFORE)) return {};
  const faults: [string, string][] = [];
  for (const part of error.message.slice(BEFORE.length).replace(/\.$/, '').split('; ')) {
    const found = /^([\w.[\]-]+): (.+)$/s.exec(part);
    const last = faults.at(-1);
    if (found) faults.push([found[1] ?? '', found[2] ?? '']);
    // A semicolon may also be part of a reason.
    else if (last) last[1] += `; ${part}`;
  }
  // Reversed, because `fromEntries` uses the last entry of a key: each field gets its first fault.
  return Object.fromEntries(faults.reverse().map(([field, reason]) => [field, sentence(reason)]));
}

/** Returns one fault for each first part of a field's path, for forms that have one input for a whole list or object. */
export function faultsByInput(error: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldFaults(error)).map(([field, reason]) => [field.split('.')[0] ?? field, reason]),
  );
}

const sentence = (reason: string): string =>
  reason === 'is required' ? 'Required.' : `${reason.slice(0, 1).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`;
