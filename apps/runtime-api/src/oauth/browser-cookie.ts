import type { Request, Response } from 'express';

/** Where a browser comes back to from sign-in and consent. */
export const RETURN_PATH = '/oauth/authorize/return';

/** One cookie a request, so that two tabs do not disturb each other. */
export const cookieName = (request: string) => `mw_authorize_${request.slice(0, 16)}`;

/** Ties the return of an authorization request to the browser that began it. */
export function setBrowserCookie(response: Response, runtimeUrl: string, request: string, value: string): void {
  const secure = runtimeUrl.startsWith('https:');
  response.cookie(cookieName(request), value, {
    path: RETURN_PATH,
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: 600_000,
  });
}

export function cookieOf({ headers }: Request, name: string): string | undefined {
  const cookies = headers.cookie?.split(';').map((cookie) => cookie.trim().split('=')) ?? [];
  return cookies.find(([key]) => key === name)?.[1];
}
