/** Answers with status 5xx that the tests of this file received, by request id. */
const failed = new Map<string, string>();

/** Keeps an unexpected answer of status 5xx. */
export function noteFailedAnswer(status: number, method: string, url: string, headers: Headers): void {
  const requestId = headers.get('x-request-id');
  if (requestId !== null) failed.set(requestId, `${method} ${url} answered ${status}`);
}

/** The services' warnings and errors about these answers. */
export function causesOfFailed(log: string): string[] {
  if (failed.size === 0) return [];
  const complaints = log.split('\n').filter((line) => /"level":"(warn|error|fatal)"/.test(line));
  return [...failed].flatMap(([requestId, answer]) => [
    answer,
    ...complaints.filter((line) => line.includes(requestId)),
  ]);
}
