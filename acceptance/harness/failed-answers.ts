/** Answers with status 5xx that the tests of this file received, by request id. */
const failed = new Map<string, string>();

/** Stores an unexpected answer of status 5xx, so that {@link causesOfFailed} can explain it. */
export function noteFailedAnswer(status: number, method: string, url: string, headers: Headers): void {
  const requestId = headers.get('x-request-id');
  if (requestId !== null) failed.set(requestId, `${method} ${url} answered ${status}`);
}

/** Returns the stored answers, each followed by the warnings and errors that the services logged for its request. */
export function causesOfFailed(log: string): string[] {
  if (failed.size === 0) return [];
  const complaints = log.split('\n').filter((line) => /"level":"(warn|error|fatal)"/.test(line));
  return [...failed].flatMap(([requestId, answer]) => [
    answer,
    ...complaints.filter((line) => line.includes(requestId)),
  ]);
}
