import { freePort } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser } from 'playwright-core';
import { send } from '../harness/calls.js';
import { newPerson, type Person } from '../harness/person.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { outcomeOf, run } from './runner.js';

const EMAIL = 'grace@example.com';

let platform: Platform;
let browser: Browser;
let person: Person;

beforeAll(async () => {
  [platform, browser] = await Promise.all([startPlatform(), launchChromium()]);
  await platform.operator('users', 'create', '--email', EMAIL, '--name', 'Grace', '--role', 'admin');
  person = await newPerson(platform, browser, EMAIL);
});
afterAll(async () => {
  await person.leave();
  await browser.close();
  await platform.stop();
});

it("the runtime passes the conformance runner's scenarios for authorization servers", async () => {
  const port = await freePort();
  const redirect = `http://127.0.0.1:${port}/callback`;
  // The runner uses PKCE only if it is a public client. It does not register a public client itself, so this test does.
  const body = { client_name: 'Conformance', redirect_uris: [redirect], token_endpoint_auth_method: 'none' };
  const client = await send<{ client_id: string }>(`${platform.runtimeUrl}/oauth/register`, { body });
  const asked = [
    ...['authorization', '--url', platform.runtimeUrl, '--port', String(port)],
    ...['--client-id', client.body.client_id],
  ];
  const consents: Promise<URL>[] = [];
  const checks = await run(asked, (text) => {
    const link = new RegExp(`^${platform.runtimeUrl}/\\S+$`, 'm').exec(text)?.[0];
    if (link !== undefined && link.includes('code_challenge'))
      consents.push(person.follow(new URL(link), 'Allow', redirect));
  });
  await Promise.all(consents);
  const outcomes = Object.fromEntries([...checks].map(([name, found]) => [name, outcomeOf(found)]));
  const skipped = [...checks.values()].flat().filter(({ status }) => status === 'SKIPPED');
  console.table(outcomes);
  expect(outcomes).toEqual({
    'authorization-server-authorization-server-metadata-endpoint': 'passed',
    'authorization-server-authorization-code-grant': 'passed',
  });
  expect(skipped).toEqual([]);
});
