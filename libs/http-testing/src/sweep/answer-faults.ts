import { AppError, type ErrorCode, type ErrorRenderer } from '@millwright/errors';
import { limitHeaderFaults, type ClientAnswer } from '@millwright/testing';

/** The failure with which an endpoint has to answer. */
export interface ExpectedFailure {
  code: ErrorCode;
  /** Required values of headers; `true` means that any value is accepted. */
  headers?: Readonly<Record<string, string | true>>;
  /** Whether the error has to name a field. Default: true for errors of invalid requests. */
  namesField?: boolean;
}

/** A text in requests that no answer may repeat. */
export const CANARY = 'canary-7f3a91';
const INTERNALS = /\bat .+:\d+:\d+|node_modules|\/src\/|Prisma|SELECT |stack/;

/**
 * Returns every difference between an answer and the expected failure. The list is empty when there is no difference.
 */
export function faultsOfFailure(
  render: ErrorRenderer,
  answer: ClientAnswer,
  { code, headers = {}, namesField = code === 'validation_error' }: ExpectedFailure,
): string[] {
  const fields = namesField ? [{ field: 'some', reason: 'is wrong' }] : [];
  const { status, body } = render(new AppError(code, { fields }));
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

function errorOf(body: unknown): Record<string, unknown> {
  const { error } = (body ?? {}) as { error?: Record<string, unknown> };
  return error ?? {};
}

/** The names and types of a value's fields, including nested fields: `{error:{code:string}}`. */
function shapeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  const fields = Object.entries(value).map(([name, field]) => `${name}:${shapeOf(field)}`);
  return `{${fields.sort().join(',')}}`;
}
