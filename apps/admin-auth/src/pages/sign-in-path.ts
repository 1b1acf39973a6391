import type { Request } from 'express';

/** Returns the address that signs the browser in and leads back to this request. */
export function signInPath({ originalUrl }: Request): string {
  // Uses only the path and the query, because a request line may contain a whole URL of another site.
  const { pathname, search } = new URL(originalUrl, 'http://path.invalid');
  return `/admin/login?redirect=${encodeURIComponent(pathname + search)}`;
}
