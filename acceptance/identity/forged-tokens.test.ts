import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { linkDevice } from '../harness/bridge.js';
import { createBrowser, personAt } from '../harness/browser.js';
import { send } from '../harness/calls.js';
import { forgeriesOf } from '../harness/forgeries.js';
import { startPlatform, type Platform } from '../harness/platform.js';

let platform: Platform;
let session = '';
let gateway = '';
let access = '';

beforeAll(async () => {
  platform = await startPlatform({ env: { RATE_LIMIT_MULTIPLIER: '10000' } });
  const person = personAt(createBrowser([platform.baseUrl], platform.baseUrl), platform.baseUrl);
  await person.arrive('ada@example.com');
  session = person.browser.cookies.get('access_token') ?? '';
  gateway = await linkDevice(person.browser);
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...platform.client });
  access = (await send<{ access_token: string }>(`${platform.runtimeUrl}/oauth/token`, { body })).body.access_token;
});
afterAll(() => platform.stop());

interface Door {
  name: string;
  url: () => string;
  carry: (token: string) => Record<string, string>;
  good: () => string;
  signer: 'admin-auth' | 'runtime-api';
  boundTo: readonly ('sub' | 'sid')[];
  refusal: number;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const [b, c, d] = [
  () => `${platform.baseUrl}/api/v1/skills`,
  () => `${platform.runtimeUrl}/api/v1/agents/registry`,
  () => `${platform.promptUrl}/v1/prompt`,
];
const byGateway = { good: () => gateway, signer: 'admin-auth', boundTo: ['sub'] } as const;
const DOORS: Door[] = [
  {
    ...{ name: "admin-auth's session cookie", url: () => `${platform.baseUrl}/admin/api/me`, refusal: 401 },
    ...{ carry: (token) => ({ cookie: `access_token=${token}` }), good: () => session, signer: 'admin-auth' },
    boundTo: ['sid'],
  },
  { ...byGateway, name: "the platform API's gateway token", url: b, carry: bearer, refusal: 401 },
  { ...byGateway, name: "the runtime's gateway token", url: c, carry: bearer, refusal: 401 },
  {
    ...{ name: "the runtime's access token", url: c, carry: bearer, refusal: 401 },
    ...{ good: () => access, signer: 'runtime-api', boundTo: ['sub', 'sid'] },
  },
  { ...byGateway, name: "the prompt API's gateway token", url: d, carry: bearer, refusal: 401 },
  {
    ...byGateway,
    name: "the prompt API's gateway token in api-key",
    url: d,
    carry: (token) => ({ 'api-key': token }),
    refusal: 403,
  },
];
const keyOf = (area: Door['signer']): KeyObject => createPrivateKey(readFileSync(platform.keyFile(area)));

describe('an installation behind the gateway', () => {
  it.each(DOORS)('refuses each of at least 120 forgeries of $name', async (door) => {
    const ask = async (token: string) => (await send(door.url(), { headers: door.carry(token) })).status;
    const forgeries = forgeriesOf(door.good(), keyOf(door.signer), door.boundTo);
    expect(forgeries.length).toBeGreaterThanOrEqual(120);
    expect(new Set(forgeries.map(([, token]) => token)).size).toBe(forgeries.length);
    const admitted: string[] = [];
    const statuses = new Set<number>();
    for (const [what, token] of forgeries) {
      const status = await ask(token);
      statuses.add(status);
      if (status < 400) admitted.push(what);
    }
    expect(admitted).toEqual([]);
    expect([...statuses]).toEqual([door.refusal]);
    expect(await ask(door.good())).toBe(200);
    process.stdout.write(`${door.name}: ${forgeries.length} forgeries, ${admitted.length} admitted\n`);
  });

  it('refuses a token that was issued for another service', async () => {
    const wrong = DOORS.filter(({ name }) => !name.includes('gateway')).flatMap((door) =>
      DOORS.filter(({ url }) => url !== door.url).map((other) => ({ token: door.good(), other })),
    );
    wrong.push(...DOORS.slice(0, 1).map((other) => ({ token: gateway, other })));
    for (const { token, other } of wrong)
      expect((await send(other.url(), { headers: other.carry(token) })).status).toBe(other.refusal);
    expect(wrong.length).toBeGreaterThanOrEqual(8);
  });
});
