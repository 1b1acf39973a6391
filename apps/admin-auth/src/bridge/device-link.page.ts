import { recordDecision } from '@millwright/audit';
import { callerOf, issueDeviceCode, type Project } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { requestIdOf, type Gate } from '@millwright/http';
import express, { Router, type Request, type Response } from 'express';
import { escapeHtml, sendPage } from '../pages/html.js';
import { signedIn } from '../pages/navigation.js';
import type { UserContext } from '../sessions/user-context.js';
import { parseDeviceLink, type DeviceLinkRequest } from './device-link.request.js';
import { withAnswer } from './loopback-redirect.js';

export interface DeviceLinkOptions {
  db: Database;
  gate: Gate;
}

/** `/bridge-auth/device-link`: a person lets a device act as them, or does not. */
export function deviceLinkPages({ db, gate }: DeviceLinkOptions): Router {
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
    else showCode(response, code);
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
    else sendPage(response, 200, 'Denied', '<p>The device was not linked. You can close this page.</p>');
  }
  return router;
}

function sendBack(response: Response, redirect: string, answer: Record<string, string | undefined>): void {
  response.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
  response.redirect(303, withAnswer(redirect, answer));
}

function showFault(response: Response, fault: string): void {
  sendPage(
    response,
    400,
    'This device cannot be linked',
    `
<p class="error">${escapeHtml(fault)}</p>
<p>The program that opened this page asked for something we do not do. Nothing was linked: close this page, and start again from the program.</p>`,
  );
}

function showCode(response: Response, code: string): void {
  sendPage(
    response,
    200,
    'Linked: one more step',
    `
<p>Give this code to the program that asks for it. It works once, for ten minutes.</p>
<pre>${code}</pre>
<p class="soft">Whoever has the code gets your account on their device: show it to nobody.</p>`,
  );
}

function showQuestion(response: Response, context: UserContext, request: DeviceLinkRequest): void {
  const { user, project } = context.principal;
  const { deviceName, redirect, state, codeChallenge } = request;
  const fields = {
    redirect,
    device_name: deviceName,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: codeChallenge && 'S256',
  };
  const hidden = Object.entries(fields)
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  const choice = context.isAdmin
    ? '<label>Project it works in <select name="project"><option>Core</option><option>Commerce</option></select></label>'
    : '';
  const content = `
<p><strong>${escapeHtml(deviceName)}</strong> asks to use your account.</p>
<dl>
<dt>Account</dt><dd>${escapeHtml(user.name)} (${escapeHtml(user.email)})</dd>
${context.isAdmin ? '' : `<dt>Project</dt><dd>${project}</dd>`}
<dt>Answer goes to</dt><dd>${redirect === undefined ? 'this page, as a code' : escapeHtml(new URL(redirect).host)}</dd>
</dl>
<p>If you approve, that device may do everything that you may, until you end it in your profile. Approve only what you started yourself, just now.</p>
<form method="post" action="/bridge-auth/device-link">${hidden}${choice}
<p><button name="decision" value="approve">Approve</button> <button class="plain" name="decision" value="deny">Deny</button></p>
</form>`;
  sendPage(response, 200, 'Link a device', content, { formAction: formTarget(redirect) });
}

/** Browsers apply `form-action` to redirects of the answer too. A policy cannot name an IPv6 address (CSP 3 §2.3.1). */
function formTarget(redirect: string | undefined): string | undefined {
  if (redirect === undefined) return undefined;
  const { origin, hostname } = new URL(redirect);
  return hostname === '[::1]' ? 'http:' : origin;
}
