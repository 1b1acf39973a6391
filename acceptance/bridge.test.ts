import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchChromium } from '@millwright/testing/chromium';
import { send } from './harness/calls.js';
import { operatorWith, startOperator, textWith } from './harness/operator.js';
import { newPerson, type Person } from './harness/person.js';
import { startPlatform, type Platform } from './harness/platform.js';

let platform: Platform;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'millwright-bridge-'));
  platform = await startPlatform();
});
afterAll(async () => {
  await platform.stop();
  rmSync(home, { recursive: true });
});

/** Runs `millwright bridge …` without access to the database. */
const bridge = <Result>(...args: string[]) => operatorWith<Result>({ MILLWRIGHT_HOME: home }, 'bridge', ...args);

/** Sends one request with the token to each service. @returns the statuses */
async function asked(token: string): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${token}` };
  const statusOf = async (url: string) => (await send(url, { headers })).status;
  return {
    platform: await statusOf(`${platform.baseUrl}/api/v1/skills`),
    runtime: await statusOf(`${platform.runtimeUrl}/api/v1/agents/registry`),
    prompt: await statusOf(`${platform.promptUrl}/v1/prompt`),
  };
}

describe('a device linked in the browser', () => {
  /** Runs `millwright bridge login` and opens the printed address in the browser. */
  async function login(person: Person, decision: 'Approve' | 'Deny') {
    const args = ['login', '--url', platform.baseUrl, '--name', 'laptop', '--no-browser'];
    const { output, result } = startOperator<object>({ MILLWRIGHT_HOME: home }, 'bridge', ...args);
    const outcome = result.then(
      (linked) => ({ linked }),
      (error: unknown) => ({ error }),
    );
    const [address = ''] = /http\S+/.exec(await textWith(output, /http\S+\n/)) ?? [];
    const link = new URL(address);
    await person.follow(link, decision, link.searchParams.get('redirect') ?? '');
    return { ...(await outcome), shown: await person.page.textContent('body') };
  }

  it("reaches every service after its user's approval, and no service after a denial", async () => {
    const email = 'browser@example.com';
    await platform.operator('users', 'create', '--email', email, '--name', 'Browser');
    const browser = await launchChromium();
    const person = await newPerson(platform, browser, email);
    const denied = await login(person, 'Deny');
    expect(denied).toMatchObject({ error: { code: 1, stderr: expect.stringContaining('denied') as string } });
    await expect(bridge('token')).rejects.toMatchObject({ code: 1 });

    const approved = await login(person, 'Approve');
    expect(approved).toMatchObject({ linked: { url: platform.baseUrl, device_name: 'laptop' } });
    expect(approved.shown).toContain('you can close this page');
    const { access_token } = await bridge<{ access_token: string }>('token');
    expect(await asked(access_token)).toEqual({ platform: 200, runtime: 200, prompt: 200 });
    await person.leave();
    await browser.close();
  });
});

describe('a device linked by a code', () => {
  it('reaches every service through the gateway until its account is disabled', async () => {
    const email = 'bridge@example.com';
    await platform.operator('users', 'create', '--email', email, '--name', 'Bridge');
    const { code } = await platform.operator('device-code', 'create', '--email', email);
    const login = ['login', '--url', platform.baseUrl, '--code', code ?? '', '--name', 'test machine'];
    expect(await bridge<object>(...login)).toMatchObject({ url: platform.baseUrl, device_name: 'test machine' });
    expect(statSync(join(home, 'bridge.json')).mode & 0o777).toBe(0o600);
    await expect(bridge(...login)).rejects.toMatchObject({ code: 1 });

    const second = await platform.operator('device-code', 'create', '--email', email);
    await bridge('login', '--url', platform.baseUrl, '--code', second['code'] ?? '', '--name', 'test machine');
    const { access_token, expires_in } = await bridge<{ access_token: string; expires_in: number }>('token');
    expect(expires_in).toBe(3_600);
    expect(await asked(access_token)).toEqual({ platform: 200, runtime: 200, prompt: 200 });

    await platform.operator('users', 'disable', email);
    expect(await asked(access_token)).toEqual({ platform: 401, runtime: 401, prompt: 401 });
    await expect(bridge('token')).rejects.toMatchObject({ code: 1 });
    await platform.operator('users', 'enable', email);
    expect(await asked(access_token)).toEqual({ platform: 401, runtime: 401, prompt: 401 });
  });
});
