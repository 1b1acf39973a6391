import type { ClientAnswer } from './http-client.js';

/** Maximum time in seconds from a request to its reset. A request may begin in one minute and end in the next. */
const RESET_WITHIN_S = 61;

/** Returns the faults of X-RateLimit-Limit, -Remaining and -Reset, which every answer must have. */
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
