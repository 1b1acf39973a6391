import type { ServerResponse } from 'node:http';

/** The id that the gate stores in Express's `response.locals`. */
export function userOf(response: ServerResponse): string | undefined {
  const { locals }: ServerResponse & { locals?: { principalId?: string } } = response;
  return locals?.principalId;
}
