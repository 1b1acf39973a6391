import { createFakeMcpServer, createFakeModel, type FakeMcpServer, type FakeModel } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { callers } from '../harness/calls.js';
import { consoleEnv, faultsOfPages, signInToConsole, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';

/** Texts that break a page which does not escape them. */
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "';alert(1);//${alert(1)}{{constructor.constructor('alert(1)')()}}",
  '[x](javascript:alert(1)) `code` **<b onmouseover=alert(1)>bold</b>**',
  '\u202Egnp.exe\u202C \u2066\u2067مدير',
  'W'.repeat(90),
];

let model: FakeModel;
let tools: FakeMcpServer;
let platform: Platform;
let browser: Browser;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;
/** Paths of the console pages that show the hostile texts. */
let pages: string[];

beforeAll(async () => {
  const hostile = HOSTILE.join('\n');
  [model, tools] = await Promise.all([
    createFakeModel(hostile),
    createFakeMcpServer('modern', [{ name: 'safe', description: hostile, inputSchema: { type: 'object' } }]),
  ]);
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
  pages = await addHostileRecords(callers(platform), hostile);
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await Promise.all([model.close(), tools.close()]);
});

async function addHostileRecords(call: ReturnType<typeof callers>, hostile: string): Promise<string[]> {
  const make = async (path: string, body: object) => {
    const answer = await call.platform<{ id: string; slug: string }>(path, { body });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  let [skill, agent, item, plugin] = ['', '', '', ''];
  for (const [index, name] of HOSTILE.entries()) {
    const description = hostile;
    const parameters = { tone: { type: 'string', enum: HOSTILE, default: name } };
    skill = (await make('/skills', { name, description, instructions: hostile, parameters })).id;
    agent = (
      await make('/agents', { name, description, instructions: hostile, skill_ids: [skill], content_tags: HOSTILE })
    ).id;
    item = (await make('/content', { title: `${name} mill`, body: hostile, tags: HOSTILE })).id;
    const config = { url: tools.url, headers: { 'x-key': 'secret' }, note: name };
    const config_schema = { properties: { note: { type: 'string', description: hostile }, key: { writeOnly: true } } };
    plugin = (await make('/plugins', { name, description, type: 'tool', config, config_schema })).id;
    await call.platform(`/skills/${skill}`, { method: 'PATCH', body: { instructions: `${hostile}\n${index}` } });
    await call.platform(`/agents/${agent}`, { method: 'PATCH', body: { instructions: `${hostile}\n${index}` } });
  }
  const { id: server } = await make('/mcp/servers', { name: HOSTILE[1], description: hostile, url: tools.url });
  const path = `/mcp/servers/${server}`;
  await until(async () => (await call.platform<{ tools_count: number }>(path)).body.tools_count === 1 || undefined);
  tools.tools = [
    ...tools.tools,
    { name: 'changed', description: hostile, inputSchema: { type: 'object', properties: { [HOSTILE[0] ?? '']: {} } } },
  ];
  await call.platform(`${path}/refresh`, { method: 'POST' });
  const { body: sent } = await call.runtime<{ context_id: string }>('/api/v1/agents/concierge/messages', {
    body: { content: hostile },
  });
  return [
    '/admin/build/skills',
    '/admin/build/skills/new',
    `/admin/build/skills/${skill}`,
    `/admin/build/skills/${skill}?tab=versions&version=1`,
    '/admin/build/agents',
    `/admin/build/agents/${agent}`,
    `/admin/build/agents/${agent}?tab=versions&version=1`,
    '/admin/build/mcp',
    '/admin/build/mcp/new',
    `/admin/build/mcp/${server}`,
    `/admin/build/mcp/${server}?tool=safe`,
    `/admin/build/mcp/${server}?tab=quarantined`,
    `/admin/build/mcp/${server}?tab=edit`,
    '/admin/build/content?q=mill',
    `/admin/build/content/${item}`,
    '/admin/build/plugins',
    '/admin/build/plugins/new',
    `/admin/build/plugins/${plugin}`,
    '/admin/build/files',
    '/admin/talk',
    `/admin/talk/concierge/${sent.context_id}`,
  ];
}

describe('every page for building and chatting', () => {
  it('has no serious accessibility fault, executes no record text as script, and fits the screen (light on a wide screen, dark on a phone)', async () => {
    expect(await faultsOfPages(openPage, pages)).toEqual([]);
  });
});

describe('the console, while a service is down,', () => {
  it('shows an error on the pages of that service, while the pages of the other services work', async () => {
    const { page, open } = await openPage();
    await Promise.all(platform.of('runtime-api').map((service) => service.terminate()));
    await open('/admin/talk');
    const alert = page.getByRole('alert').first();
    await alert.getByText('Service unavailable').waitFor();
    expect(await alert.textContent()).toMatch(/The runtime is unavailable.*Request ID/);
    await open('/admin/build/skills');
    await page.getByText('6 skills').waitFor();

    await Promise.all(platform.of('platform-api').map((service) => service.terminate()));
    for (const path of ['skills', 'agents', 'mcp', 'content', 'plugins']) {
      await open(`/admin/build/${path}`);
      await alert.getByText('Service unavailable').waitFor();
    }
    await open('/admin/access/users');
    await page.getByRole('row').filter({ hasText: 'admin@localhost' }).waitFor();

    await Promise.all(platform.of('platform-api').map((service) => service.start()));
    await open('/admin/build/skills');
    await page.getByText('6 skills').waitFor();
  });
});
