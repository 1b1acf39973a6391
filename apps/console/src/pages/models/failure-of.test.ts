import { failureOf } from './failure-of.js';

describe('failureOf', () => {
  it.each([
    ['rejected', 401, 'Incorrect API key provided', 'Rejected (401): Incorrect API key provided'],
    ['failed', 500, null, 'The server failed (500)'],
    ['unreachable', null, 'connect ECONNREFUSED', 'Unreachable: connect ECONNREFUSED'],
    ['rate_limited', 429, '', 'Rate limited (429)'],
    ['timeout', null, null, 'No answer in time'],
  ] as const)('writes the kind %s, the status %p and the message %p as "%s"', (kind, status, message, text) =>
    expect(failureOf({ kind, status, message })).toBe(text),
  );
});
