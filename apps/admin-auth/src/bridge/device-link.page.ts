import { recordDecision } from '@millwright/audit';
import { callerOf, issueDeviceCode, type Project } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requestIdOf, type Gate } from '@millwright/http';
import type { NoticeData } from '@millwright/pages';
import express, { Router, type Request, type Response } from 'express';
import { signedIn } from '../pages/navigation.js';
import type { SendPage } from '../pages/send-page.js';
import type { UserContext } from '../sessions/user-context.js';
import { parseDeviceLink, type DeviceLinkRequest } from './device-link.request.js';
import { withAnswer } from './loopback-redirect.js';

export interface DeviceLinkOptions {
  db: Database;
  gate: Gate;
  sendPage: SendPage;
}

/** `/bridge-auth/device-link`: a person lets a device act as them, or does not. */
export function deviceLinkPages({ db, gate, sendPage }: DeviceLinkOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const path = '/bridge-auth/device-link';

  router.get(
    path,
    signedIn((context, request, response) => {
      const parsed = parseDeviceLink(request.query);
      if ('fault' in parsed) showFault(response, parsed.fault);
      else showQuestion(response, context, parsed.request);
    }),
  );

  router.post(
    path,
    express.urlencoded({ extended: false, limit: 16_384 }),
    signedIn(async (context, request, response) => {
      await gate(request, response, 'credential', true);
      const form = (request.body ?? {}) as Record<string, unknown>;
      const parsed = parseDeviceLink(form);
      if ('fault' in parsed) showFault(response, parsed.fault);
      else if (form['decision'] === 'approve')
        await approve(context, parsed.request, form['project'], request, response);
      else if (form['decision'] === 'deny') await deny(context, parsed.request, request, response);
      else throw new AppError('bad_request');
    }),
  );

  const actorOf = ({ principal }: UserContext, request: Request) =>
    callerOf(principal, { requestId: requestIdOf(request), ip: request.ip ?? '' }).actor;

  async function approve(
    context: UserContext,
    { deviceName, redirect, state, codeChallenge }: DeviceLinkRequest,
    chosen: unknown,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { user, project } = context.principal;
    const owner = { id: user.id, role: context.isAdmin ? 'admin' : 'user', project, status: 'active' };
    const wanted: Project = chosen === 'Commerce' ? 'Commerce' : 'Core';
    const { code } = await db.transaction((tx) =>
      issueDeviceCode(tx, { user: owner, project: wanted, deviceName, codeChallenge }, actorOf(context, request)),
    );
    if (redirect !== undefined) sendBack(response, redirect, { code, state });
    else sendPage(response, 200, { name: 'device-code', title: 'One more step', data: { code } });
  }

  async function deny(
    context: UserContext,
    { deviceName, redirect, state }: DeviceLinkRequest,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { user, project } = context.principal;
    const entry = {
      actor: actorOf(context, request),
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

  function showQuestion(response: Response, context: UserContext, asked: DeviceLinkRequest): void {
    const { user, project } = context.principal;
    const { deviceName, redirect } = asked;
    const data = {
      deviceName,
      account: { name: user.name, email: user.email },
      project: context.isAdmin ? null : project,
      leadsTo: redirect === undefined ? null : new URL(redirect).host,
      fields: fieldsOf(asked),
    };
    const page = { name: 'device-link', title: 'Link a device', data } as const;
    sendPage(response, 200, page, { formAction: formTarget(redirect) });
  }
  return router;
}

const DENIED: NoticeData = { text: ['The device was not linked. You can close this page.'] };
const FAULT =
  'The program that opened this page asked for something we do not do. Nothing was linked: close this page, and start again from the program.';

function sendBack(response: Response, redirect: string, answer: Record<string, string | undefined>): void {
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  response.redirect(303, withAnswer(redirect, answer));
}

/** The request again, as the form's fields. */
function fieldsOf({ redirect, deviceName, state, codeChallenge }: DeviceLinkRequest): Record<string, string> {
  return {
    device_name: deviceName,
    ...(redirect !== undefined && { redirect }),
    ...(state !== undefined && { state }),
    ...(codeChallenge !== undefined && { code_challenge: codeChallenge, code_challenge_method: 'S256' }),
  };
}

/** Browsers apply `form-action` to redirects of the answer too. A policy cannot name an IPv6 address (CSP 3 §2.3.1). */
function formTarget(redirect: string | undefined): string | undefined {
  if (redirect === undefined) return undefined;
  const { origin, hostname } = new URL(redirect);
  return hostname === '[::1]' ? 'http:' : origin;
}
