import type { Request, Response } from 'express';
import type { Client } from './clients.store.js';

/** The path to which the browser returns from sign-in and consent. */
export const RETURN_PATH = '/oauth/authorize/return';

/**
 * Name of the cookie of an authorization request. Each request has a separate name, so that two tabs do not overwrite each other's cookies.
 */
export const cookieName = (request: string) => `mw_authorize_${request.slice(0, 16)}`;

/** Binds an authorization request to the browser that started it. */
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

const CONSENTED_DAYS = 90;
/**
 * Name of the consent cookie. It contains the end of the client's UUID. The UUID is random and secret, so only this server can have set the
 * cookie.
 */
const consentedName = (clientUuid: string) => `mw_consented_${clientUuid.slice(-12)}`;

/** Sets the consent cookie. It records that this browser's user has consented to a client. */
export function setConsented(response: Response, runtimeUrl: string, clientUuid: string): void {
  response.cookie(consentedName(clientUuid), clientUuid, {
    path: '/oauth/authorize',
    httpOnly: true,
    sameSite: 'lax',
    secure: runtimeUrl.startsWith('https:'),
    maxAge: CONSENTED_DAYS * 86_400_000,
  });
}

/**
 * Whether errors may be sent to a client: either a user created the client, or the user of this browser has consented to it (RFC 9700
 * §4.11.2).
 */
export const mayReceiveErrors = (request: Request, { id, kind }: Pick<Client, 'id' | 'kind'>): boolean =>
  kind === 'settings' || cookieOf(request, consentedName(id)) === id;

export function cookieOf({ headers }: Request, name: string): string | undefined {
  const cookies = headers.cookie?.split(';').map((cookie) => cookie.trim().split('=')) ?? [];
  return cookies.find(([key]) => key === name)?.[1];
}
