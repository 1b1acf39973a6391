// @ts-check
import { createServer } from 'node:http';
import { addAuthenticator, launchChromium } from '@millwright/testing/chromium';

/**
 * @typedef {{ url: string, leave: () => Promise<void> }} Person `url` is the address at which clients request that the user follows a link
 */

/** @param {import('node:http').IncomingMessage} request */
async function textOf(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

/**
 * Starts a browser with a passkey, in which a simulated user follows links. `POST {url}/follow` with a link opens the link, and signs in and
 * consents where required. The answer is the address at which the browser arrives, which is below `{url}/callback`. Applications use
 * `{url}/callback` as their redirect URI.
 *
 * @param {string} setupUrl enrols the first passkey
 * @returns {Promise<Person>}
 */
export async function startPerson(setupUrl) {
  const browser = await launchChromium();
  const page = await (await browser.newContext()).newPage();
  await addAuthenticator(page);
  await page.goto(setupUrl);
  await page.getByRole('button', { name: /create (a )?passkey/i }).click();
  const signIn = page.getByRole('button', { name: 'Sign in with passkey' }).and(page.locator(':enabled'));
  await signIn.waitFor();
  const allow = page.getByRole('button', { name: 'Allow', exact: true }).and(page.locator(':enabled'));
  let url = '';
  const isBack = (/** @type {URL} */ { href }) => href.startsWith(`${url}/callback`);

  async function follow(/** @type {string} */ link) {
    await page.goto(link, { waitUntil: 'commit' });
    while (!isBack(new URL(page.url()))) {
      const step = await Promise.any([
        page.waitForURL(isBack).then(() => undefined),
        signIn.waitFor().then(() => signIn),
        allow.waitFor().then(() => allow),
      ]);
      if (step === allow) for (const right of await page.getByRole('checkbox').all()) await right.check();
      await step?.click();
      await step?.waitFor({ state: 'detached' });
    }
    return page.url();
  }

  const server = createServer(async (request, response) => {
    if (request.url !== '/follow') {
      response.end('Back in the application.');
      return;
    }
    await follow(await textOf(request)).then(
      (address) => response.end(address),
      (error) => response.writeHead(500).end(`${error} at ${page.url()}`),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  url = `http://127.0.0.1:${port}`;
  return {
    url,
    async leave() {
      await browser.close();
      server.closeAllConnections();
      server.close();
    },
  };
}
