import { recordDecision, recordDenial } from '@millwright/audit';
import { lockActiveAccount, revokeCredentials } from '@millwright/accounts';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { createAddressLimit, type Gate } from '@millwright/http';
import { requestIdOf } from '@millwright/http/process';
import { requestOrigin } from '@millwright/http/protocol';
import type { RateLimiter } from '@millwright/rate-limit';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { answerUrl, parseAuthorization } from '../oauth/authorization-request.js';
import type { CodeStore } from '../oauth/codes.store.js';
import { countByAddress } from '../protection/count-by-address.js';
import { countSignIn } from '../protection/count-sign-in.js';
import type { DenialQueue } from '../protection/denial-queue.js';
import { parseBody, readJson } from '../protection/json-body.js';
import { readCookie, type CookieWriter } from '../sessions/cookies.js';
import type { DomainCapture, RaiseAlarm } from '../sso/domain-capture.js';
import { Assertion, NOBODY, verifyAssertion } from './assertion.js';
import type { CeremonyStore } from './ceremonies.store.js';
import { browserOf } from './enrolment.endpoint.js';
import type { FoundPasskey, PasskeyStore } from './passkeys.store.js';
import type { RelyingParty } from './relying-party.js';

export interface SignInOptions {
  db: Database;
  baseUrl: string;
  gate: Gate;
  limiter: RateLimiter;
  passkeys: PasskeyStore;
  ceremonies: CeremonyStore;
  codes: CodeStore;
  cookies: CookieWriter;
  party: RelyingParty;
  capture: DomainCapture;
  raiseAlarm: RaiseAlarm;
  denials: DenialQueue;
}

/** Limit of the sign-ins that an IP address begins per minute, because each sign-in stores a row until the row expires. */
const BEGUN = { name: 'ip-passkey-begin', limit: 120 };
/** Limit per minute of the sign-ins that one IP address begins or answers for one account, whether or not the account exists. */
const PER_ACCOUNT = { name: 'ip-account', limit: 20 };

const Start = z.object({
  /** The query of the authorization request that the ceremony answers. */
  authorization: z.string().max(4_000),
  email: z.string().trim().min(1).max(254).optional(),
});
const Finish = z.object({ ceremony: z.uuid(), response: Assertion });

/**
 * `POST /admin/api/passkey/login/{start,finish}` (WebAuthn §7.2). All failures get the same answer, with one exception: after a
 * valid proof by a removed passkey, the answer lets the browser forget the passkey.
 */
export function signInEndpoints({
  db,
  baseUrl,
  gate,
  limiter,
  passkeys,
  ceremonies,
  codes,
  cookies,
  party,
  capture,
  raiseAlarm,
  denials,
}: SignInOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const count = countByAddress(gate, 'public', 'sign-in');
  const countBegun = createAddressLimit(limiter, BEGUN);
  const countAttempt = createAddressLimit(limiter, PER_ACCOUNT);

  async function start(request: Request, response: Response): Promise<void> {
    const { authorization, email } = parseBody(Start, request);
    const parsed = parseAuthorization(new URLSearchParams(authorization), baseUrl);
    if ('fault' in parsed) throw new AppError('bad_request');
    if (email !== undefined) await countAttempt(request, response, email.toLowerCase());
    await countBegun(request, response);
    // Sends no list of credentials, because it would reveal who has an account; every passkey is discoverable.
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    const publicKey = await generateAuthenticationOptions({ rpID: party.id, userVerification: 'required' });
    const { state, codeChallenge } = parsed.request;
    const browser = browserOf(request, response, cookies);
    const ceremony = { challenge: publicKey.challenge, state, code_challenge: codeChallenge, ...(email && { email }) };
    response.json({ ceremony: await ceremonies.begin('authentication', browser, ceremony), options: publicKey });
  }

  async function finish(request: Request, response: Response): Promise<void> {
    const body = parseBody(Finish, request);
    await countAttempt(request, response, body.response.id);
    denials.requireRoom();
    const ceremony = await ceremonies.consume('authentication', body.ceremony, readCookie(request, 'ceremony') ?? '');
    const passkey = await passkeys.find(body.response.id);
    if (!ceremony) {
      if (passkey) denials.record(response, entryOf(request, passkey), 'the sign-in was used before or has expired');
      throw new AppError('unauthorized');
    }
    const proof = await verifyAssertion(party, ceremony.challenge, passkey ?? NOBODY, body.response, {
      needsHandle: true,
    });
    if (!passkey || 'fault' in proof) {
      const { fault, cause } = 'fault' in proof ? proof : { fault: 'passkey unknown', cause: undefined };
      if (passkey) denials.record(response, entryOf(request, passkey), fault);
      throw new AppError('unauthorized', { cause });
    }
    const isAsked = ceremony.email === null || ceremony.email.toLowerCase() === passkey.owner.email.toLowerCase();
    if (!isAsked) return refuse(request, passkey, 'passkey of another account');
    if (passkey.removed) return refuse(request, passkey, 'passkey removed', new AppError('passkey_removed'));
    if (capture.isCaptured(passkey.owner.email))
      return refuse(request, passkey, 'single sign-on only', new AppError('sso_required'));
    await requireActive(request, passkey);
    const code = await db.transaction(async (tx) => {
      if (!(await lockActiveAccount(tx, passkey.owner.id))) throw new AppError('unauthorized'); // the account was disabled concurrently
      const isUsed = await passkeys.noteUse(tx, passkey.id, proof.counter);
      if (!isUsed) return undefined;
      await raiseAlarm(tx, passkey.owner, requestOrigin(request), 'passkey');
      return codes.issue(tx, passkey.owner.id, ceremony.code_challenge ?? '');
    });
    if (code === undefined) return refuse(request, passkey, 'signature counter went back');
    response.json({ redirect_to: answerUrl(baseUrl, { code, state: ceremony.state }) });
  }

  /** Refuses a disabled account. After a valid proof, also revokes all remaining credentials of the account. */
  async function requireActive(request: Request, passkey: FoundPasskey): Promise<void> {
    if (passkey.owner.status === 'active') return;
    await db.transaction(async (tx) => {
      const detail = await revokeCredentials(tx, passkey.owner.id, 'sign-in refused');
      const actor = actorOf(request, passkey);
      await recordDecision(tx, {
        actor,
        action: 'user.revoke_credentials',
        resource: encodeId('usr', passkey.owner.id),
        detail,
      });
    });
    await refuse(request, passkey, 'account disabled');
  }

  async function refuse(
    request: Request,
    passkey: FoundPasskey,
    reason: string,
    error = new AppError('unauthorized'),
  ): Promise<never> {
    await recordDenial(db, entryOf(request, passkey), reason);
    throw error;
  }

  router.post('/admin/api/passkey/login/start', count, readJson, start);
  router.post('/admin/api/passkey/login/finish', count, readJson, (request, response) =>
    countSignIn('passkey', finish(request, response)),
  );
  return router;
}

const actorOf = (request: Request, { owner }: FoundPasskey) =>
  ({ userId: owner.id, kind: 'user', label: owner.name, requestId: requestIdOf(request), ip: request.ip }) as const;

const entryOf = (request: Request, passkey: FoundPasskey) => ({
  actor: actorOf(request, passkey),
  action: 'session.create',
  resource: encodeId('usr', passkey.owner.id),
  project: passkey.owner.project,
});
