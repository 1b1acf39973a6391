import type { AddressLimit } from '@millwright/http';
import type { NoticeData } from '@millwright/pages';
import express, { Router, type RequestHandler } from 'express';
import { signedIn } from '../pages/navigation.js';
import type { SendPage } from '../pages/send-page.js';
import type { ConsentStore } from './consent.store.js';

export interface DevicePagesOptions {
  count: RequestHandler;
  /** Counts the codes that an IP address tries, and refuses further codes above a limit. */
  limit: AddressLimit;
  consents: Pick<ConsentStore, 'takeUserCode'>;
  sendPage: SendPage;
}

/** `/admin/device` (RFC 8628 §3.3): the user enters the code that a device shows, and continues to the consent page. */
export function devicePages({ count, limit, consents, sendPage }: DevicePagesOptions): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const path = '/admin/device';
  const title = 'Connect a device';

  router.get(
    path,
    count,
    signedIn((_principal, request, response) => {
      const { user_code: code } = request.query;
      const userCode = typeof code === 'string' ? code.slice(0, 50) : '';
      sendPage(response, 200, { name: 'user-code', title, data: { userCode, isUnknown: false } });
    }),
  );
  router.post(
    path,
    count,
    express.urlencoded({ extended: false, limit: 1_024 }),
    signedIn(async (_principal, request, response) => {
      await limit(request, response);
      const { user_code: code } = (request.body ?? {}) as Record<string, unknown>;
      const userCode = typeof code === 'string' ? code.slice(0, 50) : '';
      const name = await consents.takeUserCode(userCode);
      if (name !== undefined) response.redirect(303, `/admin/consent?request=${name}`);
      else sendPage(response, 404, { name: 'user-code', title, data: { userCode, isUnknown: true } });
    }),
  );
  router.get(
    `${path}/done`,
    count,
    signedIn((_principal, _request, response) => {
      sendPage(response, 200, { name: 'notice', title: 'Go back to your device', data: DONE });
    }),
  );
  return router;
}

const DONE: NoticeData = { text: ['It has your answer within a few seconds. You can close this page.'] };
