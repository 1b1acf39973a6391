import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { codeChallenge } from '@millwright/auth/code-challenge';
import { CommandRefused } from '../command-refused.js';
import type { Terminal } from '../terminal.js';
import type { DeviceLink } from './bridge-client.js';
import { openInBrowser } from './open-in-browser.js';

/** Time in milliseconds within which a person must approve the link. */
const APPROVAL_MS = 300_000;

/**
 * Requests approval in the browser, and waits on this machine for the redirect with the code (RFC 8252 §7.3), with PKCE (RFC 7636).
 * @throws CommandRefused when the person denies the link or does not approve in time
 */
export async function codeFromBrowser(
  { errors }: Terminal,
  base: string,
  name: string,
  opensBrowser: boolean,
): Promise<DeviceLink> {
  const [verifier, state] = [randomBytes(32).toString('base64url'), randomBytes(16).toString('base64url')];
  const answer = pending<string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://loopback.invalid');
    const isOurs = pathname === '/callback' && isSame(searchParams.get('state') ?? '', state);
    response.writeHead(isOurs ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(isOurs ? 'Done: you can close this page and go back to the command line.\n' : 'Not found.\n');
    const code = searchParams.get('code');
    if (isOurs && code !== null) answer.resolve(code);
    else if (isOurs) answer.reject(new CommandRefused('The request was denied in the browser.'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setTimeout(
    () => answer.reject(new CommandRefused('The request was not approved within five minutes. Run the command again.')),
    APPROVAL_MS,
  );
  try {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the callback server has no port');
    const { port } = address;
    const query = new URLSearchParams({
      redirect: `http://127.0.0.1:${port}/callback`,
      device_name: name,
      state,
      code_challenge: codeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const url = `${base}/bridge-auth/device-link?${query.toString()}`;
    errors.write(`Approve this machine in your browser:\n${url}\n`);
    if (opensBrowser) openInBrowser(url);
    return { code: await answer.promise, verifier };
  } finally {
    clearTimeout(timer);
    server.close();
    server.closeAllConnections();
  }
}

function isSame(text: string, expected: string): boolean {
  const [one, two] = [Buffer.from(text), Buffer.from(expected)];
  return one.length === two.length && timingSafeEqual(one, two);
}

/** Returns a promise and the functions that settle it, like `Promise.withResolvers`, which Node 20 lacks. */
function pending<Value>() {
  let resolve: (value: Value) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<Value>((onValue, onError) => {
    [resolve, reject] = [onValue, onError];
  });
  return { promise, resolve, reject };
}
