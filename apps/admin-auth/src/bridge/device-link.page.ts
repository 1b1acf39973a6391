import { recordDecision } from '@millwright/audit';
import { issueDeviceCode } from '@millwright/accounts';
import { listProjects } from '@millwright/accounts/projects';
import { callerOf } from '@millwright/auth';
import { ProjectId, SPECIFIED_PROJECTS } from '@millwright/auth/projects';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { Gate, SessionPrincipal } from '@millwright/http';
import { requestOrigin } from '@millwright/http/protocol';
import type { NoticeData } from '@millwright/pages';
import express, { Router, type Request, type Response } from 'express';
import { signedIn } from '../pages/navigation.js';
import type { SendPage } from '../pages/send-page.js';
import { parseDeviceLink, type DeviceLinkRequest } from './device-link.request.js';
import { withAnswer } from './loopback-redirect.js';

export interface DeviceLinkOptions {
  db: Database;
  gate: Gate;
  sendPage: SendPage;
}

/** `/bridge-auth/device-link`: the page on which a user allows a device to act for the user, or refuses. */
export function deviceLinkPages({ db, gate, sendPage }: DeviceLinkOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const path = '/bridge-auth/device-link';

  router.get(
    path,
    signedIn(async (principal, request, response) => {
      const parsed = parseDeviceLink(request.query);
      if ('fault' in parsed) showFault(response, parsed.fault);
      else await showQuestion(response, principal, parsed.request);
    }),
  );

  router.post(
    path,
    express.urlencoded({ extended: false, limit: 16_384 }),
    signedIn(async (principal, request, response) => {
      const form = (request.body ?? {}) as Record<string, unknown>;
      const access =
        form['decision'] === 'approve' ? ({ role: 'user', fresh: true } as const) : ({ role: 'user' } as const);
      try {
        await gate(request, response, 'credential', access, 'device_code.create');
      } catch (error) {
        if (!isProofMissing(error) || request.accepts(['json', 'html']) !== 'html') throw error;
        sendPage(response, 403, { name: 'notice', title: 'Confirm with your passkey', data: proofMissing(request) });
        return;
      }
      const parsed = parseDeviceLink(form);
      if ('fault' in parsed) showFault(response, parsed.fault);
      else if (form['decision'] === 'approve')
        await approve(principal, parsed.request, form['project'], request, response);
      else if (form['decision'] === 'deny') await deny(principal, parsed.request, request, response);
      else throw new AppError('bad_request');
    }),
  );

  const actorOf = (principal: SessionPrincipal, request: Request) => callerOf(principal, requestOrigin(request)).actor;

  async function approve(
    principal: SessionPrincipal,
    { deviceName, redirect, state, codeChallenge }: DeviceLinkRequest,
    chosen: unknown,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { user, project } = principal;
    const owner = {
      id: user.id,
      role: principal.roles.includes('admin') ? 'admin' : 'user',
      project,
      status: 'active',
    };
    const wanted = ProjectId.safeParse(chosen).data ?? 'Core';
    const { code } = await db.transaction((tx) =>
      issueDeviceCode(tx, { user: owner, project: wanted, deviceName, codeChallenge }, actorOf(principal, request)),
    );
    if (redirect !== undefined) sendBack(response, redirect, { code, state });
    else sendPage(response, 200, { name: 'device-code', title: 'One more step', data: { code } });
  }

  async function deny(
    principal: SessionPrincipal,
    { deviceName, redirect, state }: DeviceLinkRequest,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { user, project } = principal;
    const entry = {
      actor: actorOf(principal, request),
      action: 'device_link.deny',
      resource: encodeId('usr', user.id),
      project,
      detail: { device_name: deviceName },
    };
    await db.transaction((tx) => recordDecision(tx, entry));
    if (redirect !== undefined) sendBack(response, redirect, { error: 'access_denied', state });
    else sendPage(response, 200, { name: 'notice', title: 'Denied', data: DENIED });
  }
  function showFault(response: Response, fault: string): void {
    const data = { text: [fault, FAULT], isError: true };
    sendPage(response, 400, { name: 'notice', title: 'This device cannot be linked', data });
  }

  async function showQuestion(
    response: Response,
    principal: SessionPrincipal,
    asked: DeviceLinkRequest,
  ): Promise<void> {
    const { user, project } = principal;
    const { deviceName, redirect } = asked;
    const isAdmin = principal.roles.includes('admin');
    const projects = isAdmin ? await listProjects(db.prisma) : [];
    const data = {
      deviceName,
      account: { name: user.name, email: user.email },
      project: isAdmin ? null : project,
      ...(projects.length > SPECIFIED_PROJECTS.length && { projects }),
      leadsTo: redirect === undefined ? null : new URL(redirect).host,
      fields: fieldsOf(asked),
    };
    const page = { name: 'device-link', title: 'Link a device', data } as const;
    sendPage(response, 200, page, { formAction: formTarget(redirect) });
  }
  return router;
}

const isProofMissing = (error: unknown) => error instanceof AppError && error.code === 'step_up_required';

/** Makes the page that is shown when the form was sent without a proof, because the page's script did not run. */
const proofMissing = ({ originalUrl }: Request): NoticeData => ({
  text: [
    'Linking a device needs a recent proof by your passkey, and yours is too old. Nothing was linked.',
    'Go back, approve again, and use your passkey when your browser asks for it.',
  ],
  links: [{ label: 'Go back', href: originalUrl }],
  isError: true,
});

const DENIED: NoticeData = { text: ['The device was not linked. You can close this page.'] };
const FAULT =
  'The program that opened this page asked for something we do not do. Nothing was linked: close this page, and start again from the program.';

function sendBack(response: Response, redirect: string, answer: Record<string, string | undefined>): void {
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  response.redirect(303, withAnswer(redirect, answer));
}

/** Returns the request's parameters as fields of the form. */
function fieldsOf({ redirect, deviceName, state, codeChallenge }: DeviceLinkRequest): Record<string, string> {
  return {
    device_name: deviceName,
    ...(redirect !== undefined && { redirect }),
    ...(state !== undefined && { state }),
    ...(codeChallenge !== undefined && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  };
}

/**
 * Returns the source for `form-action` that admits the redirect, because browsers also apply `form-action` when the answer to a form
 * redirects. A policy cannot name an IPv6 address (CSP 3 §2.3.1), so for `[::1]` the source is `http:`.
 */
function formTarget(redirect: string | undefined): string | undefined {
  if (redirect === undefined) return undefined;
  const { origin, hostname } = new URL(redirect);
  return hostname === '[::1]' ? 'http:' : origin;
}
