import type { Request, Response } from 'express';

/**
 * The cookies that the specification names, `access_token` and `refresh_token`; `ceremony` and `sso`, which bind a passkey ceremony or a
 * single sign-on to its browser; and `theme`, the chosen colours of the pages.
 */
export type CookieName = 'access_token' | 'refresh_token' | 'ceremony' | 'sso' | 'theme';

export function readCookie(request: Pick<Request, 'headers'>, name: CookieName): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [key, ...rest] = pair.split('=');
    const value = rest.join('=').trim();
    if (key?.trim() === name && value !== '') return value;
  }
  return undefined;
}

export interface SessionTokens {
  accessToken: string;
  refreshToken: string;
}

/** Lifetimes of the access token (an hour) and of the refresh token (30 days), in seconds. */
export const ACCESS_SECONDS = 3_600;
export const REFRESH_SECONDS = 30 * 86_400;

/** Creates functions that set and clear cookies with the specified flags. Cookies are `Secure` when the console's address is https. */
export function createCookieWriter(baseUrl: string) {
  const flags = { path: '/', httpOnly: true, sameSite: 'lax', secure: baseUrl.startsWith('https:') } as const;
  return {
    setSession(response: Response, { accessToken, refreshToken }: SessionTokens): void {
      response.cookie('access_token', accessToken, { ...flags, maxAge: ACCESS_SECONDS * 1_000 });
      response.cookie('refresh_token', refreshToken, { ...flags, maxAge: REFRESH_SECONDS * 1_000 });
    },
    clearSession(response: Response): void {
      response.clearCookie('access_token', flags);
      response.clearCookie('refresh_token', flags);
    },
    setCeremony(response: Response, value: string): void {
      response.cookie('ceremony', value, {
        ...flags,
        path: '/admin/api/passkey',
        sameSite: 'strict',
        maxAge: 3_600_000,
      });
    },
    /** Sets the cookie with `SameSite=Lax`, because it must also be sent when the issuer's site redirects the browser back. */
    setSso(response: Response, value: string): void {
      response.cookie('sso', value, { ...flags, path: '/admin/sso', maxAge: 3_600_000 });
    },
  };
}
export type CookieWriter = ReturnType<typeof createCookieWriter>;
