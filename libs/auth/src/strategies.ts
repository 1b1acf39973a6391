import type { IncomingMessage } from 'node:http';
import { AppError } from '@millwright/errors';
import type { Request } from 'express';
import passport from 'passport';
import type { Principal } from './principal.js';

/** Reads a credential from a request; `undefined` when the request has none. */
export type CredentialReader = (request: IncomingMessage) => string | undefined;

/** `Authorization: Bearer …` (RFC 6750 §2.1). The scheme's name is case-insensitive. */
export const bearer: CredentialReader = (request) => {
  const match = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1];
};

/** Reads an access token with the scheme `Bearer` or `DPoP` (RFC 9449 §7.1). */
export const accessToken: CredentialReader = (request) => {
  const match = /^(?:bearer|dpop) +(\S+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1];
};

/** Makes a reader of a separate header, such as the prompt API's `api-key`. */
export const header =
  (name: string): CredentialReader =>
  (request) => {
    const value = request.headers[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };

class CredentialStrategy extends passport.Strategy {
  override readonly name: string;
  private readonly read: CredentialReader;
  private readonly verify: CredentialKind['verify'];

  constructor(name: string, read: CredentialReader, verify: CredentialKind['verify']) {
    super();
    this.name = name;
    this.read = read;
    this.verify = verify;
  }

  override authenticate(request: Request): void {
    const credential = this.read(request);
    if (credential === undefined) return this.fail('absent');
    this.verify(credential, request).then(
      (principal) => (principal ? this.success(principal) : this.fail('invalid')),
      (error: unknown) => this.error(error),
    );
  }
}

export interface CredentialKind {
  name: string;
  read: CredentialReader;
  verify: (credential: string, request: Request) => Promise<Principal | undefined>;
}

/** Returns the principal of a request, or `undefined` without a credential. */
export type Authenticator = (request: Request) => Promise<Principal | undefined>;

/** Error code of the answer to a wrong credential. */
type OnInvalid = 'unauthorized' | 'forbidden';

/**
 * Tries each kind of credential that a service accepts. Only this function uses Passport: see docs/adr/0017.
 *
 * @throws AppError with the code `onInvalid` when the request has a credential that no kind recognises.
 */
export function createAuthenticator(
  kinds: readonly CredentialKind[],
  { onInvalid }: { onInvalid: OnInvalid | ((request: Request) => OnInvalid) },
): Authenticator {
  const authenticator = new passport.Passport();
  for (const kind of kinds) authenticator.use(new CredentialStrategy(kind.name, kind.read, kind.verify));
  const names = kinds.map((kind) => kind.name);
  return (request) =>
    new Promise((resolve, reject) => {
      const finish = (error: unknown, principal?: Principal | false, challenges?: unknown): void => {
        if (error)
          return reject(error instanceof Error ? error : new Error('the credential check failed', { cause: error }));
        if (principal) return resolve(principal);
        const absent = [challenges].flat().every((challenge) => challenge === 'absent');
        if (absent && request.headers.authorization === undefined) return resolve(undefined);
        reject(new AppError(typeof onInvalid === 'function' ? onInvalid(request) : onInvalid));
      };
      const middleware = authenticator.authenticate(names, { session: false }, finish) as (
        ...args: [Request, unknown, (error: unknown) => void]
      ) => void;
      middleware(request, undefined, finish);
    });
}
