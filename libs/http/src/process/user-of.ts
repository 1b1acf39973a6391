import type { ServerResponse } from 'node:http';

/** Returns the user's id, which the gate has stored in Express's `response.locals`; undefined before. */
export function userOf(response: ServerResponse): string | undefined {
  const { locals }: ServerResponse & { locals?: { principalId?: string } } = response;
  return locals?.principalId;
}
