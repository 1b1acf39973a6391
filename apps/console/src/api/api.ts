import { queryOptions } from '@tanstack/react-query';
import { createCall, createSend, type Send } from './client.js';
import { createStepUp } from './step-up.js';

function signIn(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
}

/** The console's one way to its server. */
export const call = createCall({
  fetch: (url, options) => window.fetch(url, options),
  signIn,
  stepUp: createStepUp(() => send),
});
export const send: Send = createSend(call);

export type Params = Readonly<Record<string, string | number | undefined>>;

/** The path with those parameters that have a value. */
export function withQuery(path: string, params: Params): string {
  const entries = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  return entries.length > 0 ? `${path}?${query}` : path;
}

/** What is read from a path. Its key begins with the path's segments, so that a collection's key covers its members. */
export function resource<Answer>(path: string, params: Params = {}) {
  return queryOptions({
    queryKey: [...path.split('/').filter(Boolean), params],
    queryFn: ({ signal }) => send<Answer>('GET', withQuery(path, params), undefined, signal),
  });
}
