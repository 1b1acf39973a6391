import { recordDecision, recordDenial } from '@millwright/audit';
import { revokeCredentials } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requestIdOf, type Gate } from '@millwright/http';
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type AuthenticationResponseJSON,
} from '@simplewebauthn/server';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { answerUrl, parseAuthorization } from '../oauth/authorization-request.js';
import type { CodeStore } from '../oauth/codes.store.js';
import { countByAddress } from '../protection/count-by-address.js';
import { parseBody, readJson } from '../protection/json-body.js';
import { readCookie, type CookieWriter } from '../sessions/cookies.js';
import type { Ceremony, CeremonyStore } from './ceremonies.store.js';
import { browserOf } from './enrolment.endpoint.js';
import type { FoundPasskey, PasskeyStore } from './passkeys.store.js';
import type { RelyingParty } from './relying-party.js';

export interface SignInOptions {
  db: Database;
  baseUrl: string;
  gate: Gate;
  passkeys: PasskeyStore;
  ceremonies: CeremonyStore;
  codes: CodeStore;
  cookies: CookieWriter;
  party: RelyingParty;
}

const Start = z.object({
  /** The query of the authorization request that the ceremony answers. */
  authorization: z.string().max(4_000),
  email: z.string().trim().min(1).max(254).optional(),
});
const Finish = z.object({ ceremony: z.uuid(), response: z.looseObject({ id: z.string().max(2_000) }) });

/** `POST /admin/api/passkey/login/{start,finish}` (WebAuthn §7.2). Every failure to prove is answered alike. */
export function signInEndpoints({
  db,
  baseUrl,
  gate,
  passkeys,
  ceremonies,
  codes,
  cookies,
  party,
}: SignInOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const count = countByAddress(gate);

  async function start(request: Request, response: Response): Promise<void> {
    const { authorization, email } = parseBody(Start, request);
    const parsed = parseAuthorization(new URLSearchParams(authorization), baseUrl);
    if ('fault' in parsed) throw new AppError('bad_request');
    const publicKey = await generateAuthenticationOptions({
      rpID: party.id,
      userVerification: 'required',
      allowCredentials: email === undefined ? [] : await passkeys.credentialsOf(email),
    });
    const { state, codeChallenge } = parsed.request;
    const browser = browserOf(request, response, cookies);
    const ceremony = { challenge: publicKey.challenge, state, code_challenge: codeChallenge, ...(email && { email }) };
    response.json({ ceremony: await ceremonies.begin('authentication', browser, ceremony), options: publicKey });
  }

  async function finish(request: Request, response: Response): Promise<void> {
    const body = parseBody(Finish, request);
    const ceremony = await ceremonies.consume('authentication', body.ceremony, readCookie(request, 'ceremony') ?? '');
    const passkey = await passkeys.find(body.response.id);
    if (!ceremony || !passkey) throw new AppError('unauthorized');
    const counter = await verifiedCounter(
      request,
      ceremony,
      passkey,
      body.response as unknown as AuthenticationResponseJSON,
    );
    await requireActive(request, passkey);
    const code = await db.transaction(async (tx) => {
      if (!(await passkeys.noteUse(tx, passkey.id, counter))) throw new AppError('unauthorized');
      return codes.issue(tx, passkey.owner.id, ceremony.code_challenge ?? '');
    });
    response.json({ redirect_to: answerUrl(baseUrl, { code, state: ceremony.state }) });
  }

  async function verifiedCounter(
    request: Request,
    ceremony: Ceremony,
    passkey: FoundPasskey,
    answer: AuthenticationResponseJSON,
  ): Promise<number> {
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: answer,
        expectedChallenge: ceremony.challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        credential: passkey.credential,
        requireUserVerification: true,
      });
      const { userHandle } = answer.response;
      const isOwner = !userHandle || userHandle === Buffer.from(passkey.owner.webauthn_user_id).toString('base64url');
      const isAsked = ceremony.email === null || ceremony.email.toLowerCase() === passkey.owner.email.toLowerCase();
      if (verified && isOwner && isAsked) return authenticationInfo.newCounter;
    } catch (error) {
      await deny(request, passkey, 'passkey not verified');
      throw new AppError('unauthorized', { cause: error });
    }
    await deny(request, passkey, 'passkey of another account');
    throw new AppError('unauthorized');
  }

  /** A proved sign-in of a disabled account ends whatever credentials it still has (spec, lifecycle table). */
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
    await deny(request, passkey, 'account disabled');
    throw new AppError('unauthorized');
  }

  async function deny(request: Request, passkey: FoundPasskey, reason: string): Promise<void> {
    const resource = encodeId('usr', passkey.owner.id);
    await recordDenial(
      db,
      { actor: actorOf(request, passkey), action: 'session.create', resource, project: passkey.owner.project },
      reason,
    );
  }

  router.post('/admin/api/passkey/login/start', count, readJson, start);
  router.post('/admin/api/passkey/login/finish', count, readJson, finish);
  return router;
}

const actorOf = (request: Request, { owner }: FoundPasskey) =>
  ({ userId: owner.id, kind: 'user', label: owner.name, requestId: requestIdOf(request), ip: request.ip }) as const;
