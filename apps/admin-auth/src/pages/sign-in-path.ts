import type { Request } from 'express';

/** The address at which a browser signs in before it returns to this one. */
export function signInPath({ originalUrl }: Request): string {
  // The path and query alone: a request line may hold a whole URL of another site.
  const { pathname, search } = new URL(originalUrl, 'http://path.invalid');
  return `/admin/login?redirect=${encodeURIComponent(pathname + search)}`;
}
