import { randomBytes } from 'node:crypto';
import { requireRoomForPasskey } from '@millwright/accounts';
import { recordSampledDenial } from '@millwright/audit';
import { conflictWhenTaken, encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requireAccess, type Gate } from '@millwright/http';
import { requestIdOf } from '@millwright/http/process';
import { requestOrigin } from '@millwright/http/protocol';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';
import { countByAddress } from '../protection/count-by-address.js';
import { parseBody, readJson } from '../protection/json-body.js';
import { readCookie, type CookieWriter } from '../sessions/cookies.js';
import type { DomainCapture } from '../sso/domain-capture.js';
import { readStatement, requireListedModel, type AttestationPolicy } from './attestation.js';
import type { Ceremony, CeremonyStore } from './ceremonies.store.js';
import type { NewPasskey, PasskeyOwner, PasskeyStore } from './passkeys.store.js';
import { ALGORITHMS, type RelyingParty } from './relying-party.js';
import { acceptedCredentials } from './signals.js';

export interface EnrolmentOptions {
  db: Database;
  gate: Gate;
  passkeys: PasskeyStore;
  ceremonies: CeremonyStore;
  cookies: CookieWriter;
  party: RelyingParty;
  capture: DomainCapture;
  /** Models of authenticators that may be enrolled. Default: all models. */
  attestation: AttestationPolicy | undefined;
}

const Start = z.object({ setup_token: z.string().max(200).optional() });
const Account = z.strictObject({ setup_token: z.string().max(200) });
const Finish = z.object({
  ceremony: z.uuid(),
  name: z.string().trim().min(1).max(100).default('Passkey'),
  response: z.looseObject({ id: z.string(), response: z.looseObject({ attestationObject: z.string() }) }),
});

interface Permission {
  owner: PasskeyOwner;
  tokenId: string | null;
}

/** `POST /admin/api/passkey/register/{account,start,finish}` (WebAuthn §7.1). */
export function enrolmentEndpoints(options: EnrolmentOptions): Router {
  const { gate, passkeys, ceremonies, cookies, party, db, capture, attestation } = options;
  const router = Router({ caseSensitive: true, strict: true });
  const count = countByAddress(gate, 'setup');

  /** Requires a live setup token, or a session with a recent passkey proof. */
  async function requirePermission(
    request: Request,
    response: Response,
    setupToken: string | undefined,
  ): Promise<Permission> {
    if (setupToken !== undefined) {
      const found = await passkeys.ownerOfSetupToken(setupToken);
      if (found) return found;
      await passkeys.recordSpentToken(setupToken, requestOrigin(request));
      throw new AppError('forbidden');
    }
    const { signedIn } = response.locals;
    if (!signedIn) throw new AppError('unauthorized');
    const from = { ...requestOrigin(request), path: request.path };
    await requireAccess(db, 'fresh', signedIn, { ...from, action: 'passkey.create' });
    const owner = await passkeys.owner(signedIn.user.id);
    if (!owner) throw new AppError('forbidden');
    return { owner, tokenId: null };
  }

  /** Returns the account of a setup token, which the page reads from the fragment of its address. */
  async function account(request: Request, response: Response): Promise<void> {
    const { setup_token } = parseBody(Account, request);
    const { owner } = await requirePermission(request, response, setup_token);
    response.json({ email: owner.email });
  }

  async function start(request: Request, response: Response): Promise<void> {
    const { setup_token } = parseBody(Start, request);
    const { owner, tokenId } = await requirePermission(request, response, setup_token);
    if (capture.isCaptured(owner.email)) throw new AppError('sso_required');
    // Checks the limit before the authenticator creates a passkey, which the account could not store.
    await requireRoomForPasskey(db.prisma, owner.id);
    const existing = await passkeys.list(owner.id);
    if (tokenId !== null && existing.length > 0) throw new AppError('forbidden');
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    const publicKey = await generateRegistrationOptions({
      rpName: 'Millwright',
      rpID: party.id,
      userName: owner.email,
      userDisplayName: owner.name,
      userID: new Uint8Array(owner.webauthn_user_id),
      excludeCredentials: existing.map((passkey) => ({ id: passkey.credential_id })),
      attestationType: attestation ? 'direct' : 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    const browser = browserOf(request, response, cookies);
    const ceremony = { challenge: publicKey.challenge, user_id: owner.id, setup_token_id: tokenId };
    response.json({ ceremony: await ceremonies.begin('registration', browser, ceremony), options: publicKey });
  }

  async function finish(request: Request, response: Response): Promise<void> {
    const body = parseBody(Finish, request);
    const ceremony = await ceremonies.consume('registration', body.ceremony, readCookie(request, 'ceremony') ?? '');
    const owner = ceremony?.user_id && (await passkeys.owner(ceremony.user_id));
    if (!ceremony || !owner || owner.status !== 'active') throw new AppError('forbidden');
    if (capture.isCaptured(owner.email)) throw new AppError('sso_required');
    if (ceremony.setup_token_id === null && response.locals.signedIn?.user.id !== owner.id)
      throw new AppError('forbidden');
    const actor = {
      userId: owner.id,
      kind: 'user',
      label: owner.name,
      requestId: requestIdOf(request),
      ip: request.ip,
    } as const;
    const statement = await readStatement(body.response.response.attestationObject);
    const passkey = await verified(ceremony, body.response as unknown as RegistrationResponseJSON, body.name);
    try {
      if (attestation) requireListedModel(attestation, passkey.aaguid, statement);
    } catch (error) {
      const entry = { actor, project: owner.project, action: 'passkey.create', resource: encodeId('usr', owner.id) };
      const detail = { aaguid: passkey.aaguid, format: statement.format };
      await recordSampledDenial(db, { ...entry, detail }, 'authenticator not listed or not attested');
      throw error;
    }
    const enrolled = await db
      .transaction((tx) => passkeys.enrol(tx, owner, ceremony.setup_token_id, passkey, actor))
      .catch(conflictWhenTaken);
    const signals = [acceptedCredentials(party, owner, enrolled)];
    response.status(201).json({ enrolled: true, name: passkey.name, signals });
  }

  async function verified(ceremony: Ceremony, answer: RegistrationResponseJSON, name: string): Promise<NewPasskey> {
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const result = await verifyRegistrationResponse({
      response: answer,
      expectedChallenge: ceremony.challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch((error: unknown) => {
      throw new AppError('forbidden', { cause: error });
    });
    if (!result.verified) throw new AppError('forbidden');
    const { credential, credentialDeviceType, credentialBackedUp, aaguid } = result.registrationInfo;
    return { credential, deviceType: credentialDeviceType, backedUp: credentialBackedUp, aaguid, name };
  }

  router.post('/admin/api/passkey/register/account', count, readJson, account);
  router.post('/admin/api/passkey/register/start', count, readJson, start);
  router.post('/admin/api/passkey/register/finish', count, readJson, finish);
  return router;
}

/** Returns the cookie that binds a ceremony to its browser; creates the cookie when it is missing. */
export function browserOf(request: Request, response: Response, cookies: CookieWriter): string {
  const browser = readCookie(request, 'ceremony') ?? randomBytes(32).toString('base64url');
  cookies.setCeremony(response, browser);
  return browser;
}
