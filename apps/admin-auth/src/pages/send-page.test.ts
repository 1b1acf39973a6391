import type { Page } from '@millwright/pages';
import { createHttpClient, listen } from '@millwright/testing';
import express from 'express';
import { NO_ASSETS, pageIn } from '../test-assets.js';
import { createSendPage, type SendPage } from './send-page.js';

/** Returns the page as a browser receives it. */
async function sent(page: Page, options?: Parameters<SendPage>[3], cookie = '') {
  const app = express();
  app.get('/', (_request, response) =>
    createSendPage(NO_ASSETS, 'https://console.example')(response, 200, page, options),
  );
  const server = await listen(app);
  const answer = await createHttpClient(server.url, { cookie })('GET', '/');
  await server.close();
  return answer;
}

const HOSTILE = [
  '</script><script>alert(1)</script>',
  '<!--<script>',
  '"><img src=x onerror=alert(1)>',
  '__CSP_NONCE__ __PAGE__ __TITLE__',
  "$& $1 $` $'",
  '\u2028\u2029\u0000\ud800',
  'javascript:alert(1)',
];

describe('a page', () => {
  it.each(HOSTILE)('passes %j unchanged to its script, and displays it as text', async (text) => {
    const page: Page = { name: 'notice', title: text, data: { text: [text] } };
    const { text: html } = await sent(page);
    expect(pageIn(html)).toEqual(page);
    expect(html.match(/<(?:script|img|!--)/g)).toEqual(['<script']);
    expect(html.match(/<\/script/g)).toEqual(['</script']);
  });

  it('contains its title in the HTML, before its script runs', async () => {
    const login: Page = { name: 'login', title: 'Sign in', data: { target: '/admin' } };
    expect((await sent(login)).text).toMatch(/<title>Sign in · Millwright<\/title>[^]*<p>Processing\.\.\.<\/p>/);
    const over: Page = { name: 'notice', title: 'Over', data: { text: ['It is over.', 'Begin again.'] } };
    expect((await sent(over)).text).toContain('<p>It is over.</p><p>Begin again.</p>');
  });

  it('allows form targets only at its own origin and the listed origins', async () => {
    const page: Page = { name: 'authorize', title: 'Sign in', data: { issuers: [] } };
    const policies = [await sent(page), await sent(page, { formAction: 'http://127.0.0.1:5000' })].map(({ headers }) =>
      /form-action [^;]*/.exec(headers.get('content-security-policy') ?? '')?.at(0),
    );
    expect(policies).toEqual(["form-action 'self'", "form-action 'self' http://127.0.0.1:5000"]);
  });

  it('has the selected colour scheme', async () => {
    const page: Page = { name: 'authorize', title: 'Sign in', data: { issuers: [] } };
    const schemes = ['theme=dark', 'theme=light', 'theme="><script>'].map(async (cookie) =>
      /scheme="(\w+)"/.exec((await sent(page, {}, cookie)).text)?.at(1),
    );
    expect(await Promise.all(schemes)).toEqual(['dark', 'light', 'auto']);
  });
});
