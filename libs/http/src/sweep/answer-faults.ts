import { AppError, renderers, type Area, type ErrorCode } from '@millwright/errors';
import type { ClientAnswer } from './http-client.js';

/** What an answer must be, whatever made it fail. */
export interface ExpectedFailure {
  code: ErrorCode;
  /** Header → what it must be; `true`: anything. */
  headers?: Readonly<Record<string, string | true>>;
}

/** What of a request must not come back. */
export const CANARY = 'canary-7f3a91';
/** A window in which a minute's end is named: a request may straddle two minutes. */
const RESET_WITHIN_S = 61;
const INTERNALS = /\bat .+:\d+:\d+|node_modules|\/src\/|Prisma|SELECT |stack/;

/** Everything by which an answer differs from the failure its area promises; empty when nothing does. */
export function faultsOfFailure(area: Area, answer: ClientAnswer, { code, headers = {} }: ExpectedFailure): string[] {
  const fields = code === 'validation_error' ? [{ field: 'some', reason: 'is wrong' }] : [];
  const { status, body } = renderers[area](new AppError(code, { fields }));
  const faults = limitHeaderFaults(answer);
  if (answer.status !== status) faults.push(`status ${answer.status} instead of ${status}`);
  const shape = shapeOf(answer.body);
  if (shape !== shapeOf(body)) faults.push(`the envelope is ${shape} instead of ${shapeOf(body)}`);
  const { code: sent } = errorOf(answer.body);
  const { code: due } = errorOf(body);
  if (sent !== due) faults.push(`code ${String(sent)} instead of ${String(due)}`);
  for (const [name, value] of Object.entries(headers)) {
    const got = answer.headers.get(name);
    if (value === true ? got === null : got !== value)
      faults.push(`${name}: ${String(got)} instead of ${String(value)}`);
  }
  if (answer.text.includes(CANARY)) faults.push('what was sent comes back');
  if (INTERNALS.test(answer.text)) faults.push('internals are shown');
  return faults;
}

/** X-RateLimit-Limit, -Remaining and -Reset are due on every answer (spec, "Limits"). */
export function limitHeaderFaults({ headers }: ClientAnswer): string[] {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  const isNumber = (text: string | null | undefined) => /^\d+$/.test(text ?? '');
  if (!isNumber(limit) || !isNumber(remaining) || !isNumber(reset))
    return [`limit headers ${limit}, ${remaining}, ${reset}`];
  const faults: string[] = [];
  if (Number(remaining) > Number(limit)) faults.push(`${remaining} remain of ${limit}`);
  const seconds = Number(reset) - Date.now() / 1_000;
  if (seconds < -1 || seconds > RESET_WITHIN_S || Number(reset) % 60 !== 0)
    faults.push(`reset ${reset} ends no minute near`);
  return faults;
}

function errorOf(body: unknown): Record<string, unknown> {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  return error ?? {};
}

/** Names and types of a value's fields, nested: `{error:{code:string}}`. */
function shapeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const fields = Object.entries(value).map(([name, field]) => `${name}:${shapeOf(field)}`);
  return `{${fields.sort().join(',')}}`;
}
