import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  createFakeAuthorizationServer,
  createFakeMcpServer,
  createFakeModel,
  type FakeAuthorizationServer,
  type FakeMcpServer,
  type FakeModel,
} from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { callers } from '../harness/calls.js';
import { consoleEnv, signInToConsole, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';
import { addApproval, addRuns, type Sight } from './look-runs.js';

/** `npm run console:look -- <folder>`: takes screenshots of every page in each theme and screen size, without records and with records. */

const folder = resolve(process.env['LOOK_FOLDER'] ?? 'look');
const only = new RegExp(process.env['LOOK_ONLY'] ?? '');

const LOOKS = {
  'light-wide': { colorScheme: 'light', viewport: { width: 1_280, height: 860 } },
  'dark-wide': { colorScheme: 'dark', viewport: { width: 1_280, height: 860 } },
  'light-phone': { colorScheme: 'light', viewport: { width: 390, height: 844 } },
  'dark-phone': { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
} as const satisfies Record<string, BrowserContextOptions>;

let model: FakeModel;
let tools: FakeMcpServer;
let own: FakeMcpServer;
let as: FakeAuthorizationServer;
let platform: Platform;
let browser: Browser;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;

const tool = (name: string, description: string, properties: object = {}) => ({
  name,
  description,
  inputSchema: { type: 'object', properties },
});

beforeAll(async () => {
  [model, tools, own, as] = await Promise.all([
    createFakeModel('A watermill turns **flowing water** into work:\n\n- the wheel\n- the gears\n- the stones'),
    createFakeMcpServer('modern', [
      tool('weigh', 'Weighs a sack of grain.', { sack: { type: 'string' }, unit: { enum: ['kg', 'lb'] } }),
      tool('grind', 'Grinds grain to flour, as fine as asked.', { fineness: { type: 'integer' } }),
    ]),
    createFakeMcpServer('modern', [tool('send', 'Sends a letter.')]),
    createFakeAuthorizationServer(),
  ]);
  [platform, browser] = await Promise.all([
    startPlatform({ env: { ...consoleEnv(model.url), MODEL_IMAGES: 'true' } }),
    launchChromium(),
  ]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await Promise.all([model.close(), tools.close(), own.close(), as.close()]);
});

const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const pressing = (name: string | RegExp) => async (page: Page) => {
  await click(name)(page);
  await page.getByRole('dialog').waitFor();
};

/** Lists, and other pages that are not about a single record. */
const LISTS: Sight[] = [
  { name: 'dashboard', path: '/admin' },
  { name: 'setup', path: '/admin/setup' },
  { name: 'talk', path: '/admin/talk' },
  { name: 'chat', path: '/admin/talk/concierge' },
  { name: 'chat-new', path: '/chat' },
  { name: 'models', path: '/admin/build/models' },
  { name: 'agents', path: '/admin/build/agents' },
  { name: 'skills', path: '/admin/build/skills' },
  { name: 'mcp-servers', path: '/admin/build/mcp' },
  { name: 'content', path: '/admin/build/content' },
  { name: 'plugins', path: '/admin/build/plugins' },
  { name: 'tool-policy', path: '/admin/build/tool-policy' },
  { name: 'guards', path: '/admin/build/guards' },
  { name: 'inbox', path: '/admin/inbox' },
  { name: 'runs', path: '/admin/runs' },
  { name: 'files', path: '/admin/build/files' },
  { name: 'prompts', path: '/admin/prompts' },
  { name: 'blocks', path: '/admin/blocks' },
  { name: 'conversations', path: '/admin/conversations' },
  { name: 'users', path: '/admin/access/users' },
  { name: 'enterprises', path: '/admin/enterprises' },
  { name: 'enterprise', path: '/admin/enterprises/Core' },
  { name: 'audit', path: '/admin/audit' },
  { name: 'jobs', path: '/admin/jobs' },
  { name: 'triggers', path: '/admin/triggers' },
  { name: 'webhooks', path: '/admin/webhooks' },
  { name: 'usage', path: '/admin/usage' },
  { name: 'usage-keys', path: '/admin/usage?by=key' },
  { name: 'usage-tools', path: '/admin/usage?by=tool' },
  { name: 'report', path: '/admin/reports/internal' },
  { name: 'profile', path: '/admin/profile' },
  { name: 'settings-keys', path: '/admin/settings' },
  { name: 'settings-tokens', path: '/admin/settings?tab=tokens' },
  { name: 'settings-clients', path: '/admin/settings?tab=clients' },
];

const FORMS: Sight[] = [
  { name: 'settings-appearance', path: '/admin/settings?tab=appearance' },
  { name: 'skill-new', path: '/admin/build/skills/new', act: click('Add parameter') },
  { name: 'model-new', path: '/admin/build/models/new' },
  { name: 'agent-new', path: '/admin/build/agents/new' },
  { name: 'mcp-new', path: '/admin/build/mcp/new', act: (page) => page.getByLabel('Per-user account (OAuth)').check() },
  { name: 'content-new', path: '/admin/build/content/new' },
  { name: 'plugin-new', path: '/admin/build/plugins/new' },
  { name: 'prompt-new', path: '/admin/prompts/new' },
  { name: 'block-new', path: '/admin/blocks/new' },
  { name: 'trigger-new', path: '/admin/triggers/new' },
  {
    name: 'trigger-new-post',
    path: '/admin/triggers/new',
    act: (page) => page.getByLabel('Started by').selectOption('webhook'),
  },
  { name: 'webhook-new', path: '/admin/webhooks/new' },
  { name: 'user-new', path: '/admin/access/users', act: pressing('New user') },
  { name: 'key-new', path: '/admin/settings', act: pressing('Create API key') },
  { name: 'client-new', path: '/admin/settings?tab=clients', act: pressing('Create client') },
  { name: 'nothing-fits', path: '/admin/build/skills?search=nothing' },
  { name: 'not-found', path: '/admin/no/such/page' },
  { name: 'record-missing', path: '/admin/build/skills/sk_0000000000000000000000' },
  { name: 'device-link', path: '/bridge-auth/device-link?device_name=Laptop' },
  { name: 'device-code', path: '/admin/device' },
  { name: 'register', path: '/admin/register' },
  { name: 'magic-link', path: '/admin/magic-link' },
];

async function takePictures(state: string, sights: readonly Sight[]): Promise<void> {
  mkdirSync(join(folder, state), { recursive: true });
  const wanted = sights.filter(({ name }) => only.test(name));
  await Promise.all(
    Object.entries(LOOKS).map(async ([look, options]) => {
      for (const { name, path, act, isWhole = act === undefined } of wanted) {
        const { page, open } = await openPage({ ...options, reducedMotion: 'reduce' });
        await open(path);
        await act?.(page);
        await page.waitForLoadState('networkidle');
        await page.screenshot({ path: join(folder, state, `${name}.${look}.png`), fullPage: isWhole });
        await page.context().close();
      }
    }),
  );
}

/** Creates two prompts, a block that both include, and runs of one prompt. */
async function addPrompts(call: ReturnType<typeof callers>): Promise<Sight[]> {
  const make = async (path: string, body: object, expected = 201) => {
    const answer = await call.prompt<{ id: string; data: { conversation: { id: string } } }>(path, { body });
    if (answer.status !== expected) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const { id: block } = await make('/block', {
    prefix: 'house_rules',
    content: 'Be brief, kind and exact.',
    metadata: { title: 'House rules', description: 'What every answer keeps to.', tag: ['style'] },
  });
  const properties = {
    city: { type: 'string', description: 'Where the visitor is.' },
    days: { type: 'integer', default: 2 },
    season: { enum: ['spring', 'summer', 'autumn', 'winter'] },
  };
  const { id: prompt } = await make('/prompt', {
    instruction: {
      static: 'You know every town and its mills. {{house_rules}}',
      state: 'It is {{season}}.',
      dynamic: 'Plan {{days}} days in {{city}}. {{message}} {{weather}}',
    },
    input: { name: 'Visit', schema: { type: 'object', properties, required: ['city'] } },
    output: {},
    metadata: { title: 'Plan a visit', description: 'A plan for visitors, day by day.', tag: ['visitors', 'mill'] },
  });
  const path = `/prompt/${prompt}`;
  const change = (dynamic: string, log_message: string) =>
    call.prompt(path, { method: 'PUT', body: { instruction: { dynamic }, metadata: { log_message } } });
  await call.prompt(`${path}/label/production`, { method: 'PUT', body: { version: 1 } });
  await change('Plan {{days}} days in {{city}}.\nName a mill. {{message}}', 'Names a mill');
  await change('Plan {{days}} days in {{city}}.\nName two mills, and how to get there. {{message}}', 'Two mills');
  await call.prompt(`${path}/label/staging`, { method: 'PUT', body: { version: 3 } });
  await make('/prompt', {
    instruction: { dynamic: '{{message}}' },
    ...{ input: {}, output: {}, metadata: { title: 'Answer a letter', status: 'draft' } },
  });
  const run = { message: 'With two children.', structured_data: { city: 'Bonn', days: 2, season: 'spring' } };
  const { data } = await make(`${path}/openai`, run, 200);
  const { conversation } = data;
  await make(`${path}/openai`, { ...run, message: 'And when it rains?', conversation: conversation.id }, 200);

  const page = `/admin/prompts/${prompt}`;
  const typeInto = (name: string, text: string) => async (at: Page) => {
    await at.getByRole('textbox', { name }).fill(text);
    await at.getByText('Unsaved changes').waitFor();
  };
  return [
    { name: 'prompt', path: page },
    { name: 'prompt-changed', path: page, act: typeInto('User message', 'Plan {{days}} days in {{nowhere}}.') },
    {
      name: 'prompt-try',
      path: `${page}?tab=try`,
      act: async (at) => {
        await at.getByRole('textbox', { name: 'city' }).fill('Bonn');
        await click('Run')(at);
        await at.getByText('Saved as', { exact: true }).waitFor();
      },
    },
    { name: 'prompt-versions', path: `${page}?tab=versions` },
    { name: 'prompt-compare', path: `${page}?tab=versions&version=1` },
    { name: 'prompt-labels', path: `${page}?tab=labels` },
    { name: 'prompt-promote', path: `${page}?tab=labels`, act: pressing('Move production') },
    { name: 'block', path: `/admin/blocks/${block}` },
    { name: 'conversation', path: `/admin/conversations/${conversation.id}` },
  ];
}

/** Creates a schedule, a trigger for posts and a webhook, each after some use. */
async function addTriggersAndWebhooks(call: ReturnType<typeof callers>, receiverUrl: string): Promise<Sight[]> {
  const make = async (path: string, body: object) => (await call.platform<{ id: string }>(path, { body })).body.id;
  const cron = { kind: 'cron', schedule: '0 9 * * MON-FRI', timezone: 'Europe/Berlin', overlap: 'allow' };
  const report = await make('/triggers', {
    ...{ ...cron, name: 'Morning report', description: 'What the mill did yesterday.' },
    ...{ agent: 'mill-guide', input: 'Write the report for {{at}}.' },
  });
  const post = await make('/triggers', {
    ...{ name: 'New orders', kind: 'webhook', agent: 'mill-guide', overlap: 'skip' },
    input: 'Check the order "{{body.order.title}}".',
  });
  const webhook = await make('/webhooks', { name: 'Reporting', url: receiverUrl, event_types: ['run.failed'] });
  for (let n = 0; n < 3; n += 1) {
    await make(`/triggers/${report}/fire`, {});
    await make(`/triggers/${post}/fire`, { body: `{"order":{"title":"${n + 1} sacks of rye"}}` });
    await make(`/webhooks/${webhook}/test`, {});
  }
  const [trigger, hook] = [`/admin/triggers/${report}`, `/admin/webhooks/${webhook}`];
  return [
    { name: 'trigger', path: trigger },
    { name: 'trigger-edit', path: `${trigger}?tab=edit` },
    { name: 'trigger-post', path: `/admin/triggers/${post}` },
    { name: 'trigger-fire', path: `/admin/triggers/${post}`, act: pressing('Fire now') },
    { name: 'webhook', path: hook },
    { name: 'webhook-edit', path: `${hook}?tab=edit` },
    {
      name: 'webhook-delivery',
      path: hook,
      act: async (page) => {
        await page.getByRole('button', { name: 'webhook.test' }).first().click();
        await page.getByRole('dialog').waitFor();
      },
    },
  ];
}

/** Adds a conversation with two images. Screenshots are taken of this conversation, and of a chat with attached images that are not sent yet. */
async function addImages(call: ReturnType<typeof callers>): Promise<Sight[]> {
  const { page, open } = await openPage({ viewport: { width: 800, height: 500 } });
  await open('/admin');
  const pictures = [
    await page.screenshot(),
    await page.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 300, height: 480 } }),
  ];
  await page.context().close();
  const [wide, high] = pictures.map((bytes) => ({ data: bytes.toString('base64') }));
  const images = [
    { ...wide, name: 'dashboard of the mill.png' },
    { ...high, name: 'navigation.jpg' },
  ];
  const sent = await call.runtime<{ context_id: string }>('/api/v1/agents/mill-guide/messages', {
    body: { content: 'What do these pictures show? The first one is from today.', images },
  });
  const runs = await call.runtime<{ items: { id: string }[] }>('/api/v1/runs?agent=mill-guide&limit=1');
  const attach = async (at: Page) => {
    const file = (name: string, index: number) => ({
      name,
      mimeType: 'image/png',
      buffer: pictures[index] ?? Buffer.alloc(0),
    });
    await at
      .locator('form input[type=file]')
      .setInputFiles([file('dashboard of the mill.png', 0), file('navigation.jpg', 1)]);
    await at.getByRole('list', { name: 'Attached files' }).getByRole('listitem').nth(1).waitFor();
  };
  const path = `/admin/talk/mill-guide/${sent.body.context_id}`;
  return [
    { name: 'chat-images', path },
    { name: 'chat-images-attached', path, act: attach },
    {
      name: 'chat-images-open',
      path,
      act: async (at) => {
        await at.getByRole('button', { name: /^Open dashboard/ }).click();
        await at
          .getByRole('dialog')
          .getByRole('img', { name: /^dashboard/ })
          .waitFor();
      },
    },
    { name: 'run-images', path: `/admin/runs/${runs.body.items[0]?.id ?? ''}` },
  ];
}

/** Creates the records that an installation has after some weeks of use. @returns their pages */
async function addRecords(): Promise<Sight[]> {
  const call = callers(platform);
  const make = async (path: string, body: object) => {
    const answer = await call.platform<{ id: string }>(path, { body });
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
    return answer.body.id;
  };
  const skills: string[] = [];
  for (const [name, description] of [
    ['Explain in plain words', 'Says what something is as to a neighbour, without any word that needs a dictionary.'],
    ['Quote the source', 'Names where each fact comes from.'],
    ['Answer in the language of the question', ''],
    [
      'Calculate milling loss',
      'Works out what is lost between the sack and the flour, by the kind of grain and stone.',
    ],
  ] as const) {
    const parameters = {
      tone: { type: 'string', enum: ['warm', 'plain'], default: 'plain' },
      words: { type: 'integer' },
    };
    skills.push(await make('/skills', { name, description, instructions: `${name}.\nKeep it short.`, parameters }));
  }
  const [skill = ''] = skills;
  for (const words of ['Keep it short and kind.', 'Keep it short, kind and exact.'])
    await call.platform(`/skills/${skill}`, { method: 'PATCH', body: { instructions: `Explain.\n${words}` } });

  const server = await make('/mcp/servers', { name: 'Mill tools', description: 'Scales and stones.', url: tools.url });
  await until(
    async () =>
      (await call.platform<{ tools_count: number }>(`/mcp/servers/${server}`)).body.tools_count === 2 || undefined,
  );
  tools.tools = [
    tool('weigh', 'Weighs a sack of grain, and tells the miller.', { sack: { type: 'string' } }),
    ...tools.tools.slice(1),
    tool('sell', 'Sells the flour at the market of the day.'),
  ];
  await call.platform(`/mcp/servers/${server}/refresh`, { method: 'POST' });
  own.challenge = () => 'Bearer';
  const ours = await make('/mcp/servers', { name: 'Post office', url: own.url, auth: { type: 'user', scope: 'send' } });

  let item = '';
  for (const [title, body] of [
    ['How a watermill works', 'Water flows over a wheel, which turns the gears and the stones that grind the grain.'],
    ['Opening hours', 'The mill is open from May to October, on Sundays from ten to four.'],
    ['Kinds of grain', 'Wheat, rye, spelt, barley and oats.'],
  ] as const)
    item = await make('/content', { title, body, tags: ['mill', 'visitors'] });
  const config = { url: tools.url, headers: { 'x-key': 'secret' } };
  const plugin = await make('/plugins', {
    name: 'Weather',
    description: 'What it will be like.',
    type: 'tool',
    config,
  });
  await make('/plugins', { name: 'Price list', type: 'data_source', config: { url: tools.url } });

  const agent = await make('/agents', {
    name: 'Mill guide',
    description: 'Shows visitors around the mill and answers what they want to know.',
    instructions: 'You are a friendly guide.',
    skill_ids: skills,
    mcp_server_ids: [server],
    content_tags: ['mill'],
  });
  await make('/agents', { name: 'Accountant', description: 'Keeps the books.', skill_ids: skills.slice(1, 2) });
  for (const content of ['What is a watermill?', 'When can I come?'])
    await call.runtime('/api/v1/agents/mill-guide/messages', { body: { content } });
  const sent = await call.runtime<{ context_id: string }>('/api/v1/agents/mill-guide/messages', {
    body: { content: 'How does a mill turn water into flour? Explain it so that my daughter understands it.' },
  });

  for (const [name, email, role] of [
    ['Ada Lovelace', 'ada@example.com', 'admin'],
    ['Grace Brewster Murray Hopper', 'grace.brewster.murray.hopper@navy.example.com', 'user'],
    ['Noor', 'noor@example.com', 'user'],
  ] as const)
    await platform.operator('users', 'create', '--email', email, '--name', name, '--role', role);
  await platform.operator('users', 'disable', 'noor@example.com');
  await platform.operator(
    ...['keys', 'create', '--user', 'admin@localhost', '--name', 'Reporting service', '--expires-days', '7'],
    ...['--scopes', 'skills:read,agents:read,content:read,prompts:read,prompts:run'],
  );

  const { page, open } = await openPage();
  await open('/admin/build/files');
  const file = (name: string, size: number) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size, 'flour ') });
  await page
    .locator('input[type=file]')
    .setInputFiles([file('plan-of-the-mill.txt', 180_000), file('prices.txt', 900)]);
  await page.getByText('2 files').waitFor();
  const addSource = async (name: string, url: string, schedule = '') => {
    await page.getByRole('button', { name: 'Add URL' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('textbox', { name: 'URL' }).fill(url);
    await dialog.getByLabel('Schedule').fill(schedule);
    await dialog.getByRole('button', { name: 'Add source' }).click();
    await page.getByRole('row').filter({ hasText: name }).getByText('Failed').waitFor();
  };
  await addSource('Opening hours', 'http://127.0.0.1:9/hours', '0 6 * * *');
  await addSource(`Rules of the mill, ${'all of them, '.repeat(8)}`, `http://127.0.0.1:9/${'rules-'.repeat(40)}`);
  await open('/admin/access/users?search=grace');
  await page.getByRole('link', { name: /Grace/ }).click();
  await page.getByRole('heading', { level: 1, name: /Grace/ }).waitFor();
  const user = new URL(page.url()).pathname;
  await page.context().close();

  return [
    ...LISTS,
    ...(await addRuns(platform.databaseUrl)),
    ...(await addApproval(call, model, server)),
    ...(await addPrompts(call)),
    ...(await addImages(call)),
    ...(await addTriggersAndWebhooks(call, tools.url)),
    { name: 'skill', path: `/admin/build/skills/${skill}` },
    { name: 'skill-version', path: `/admin/build/skills/${skill}?tab=versions&version=1` },
    { name: 'skill-curl', path: `/admin/build/skills/${skill}`, act: pressing('API') },
    { name: 'skill-delete', path: `/admin/build/skills/${skill}`, act: pressing('Delete') },
    { name: 'skill-try', path: `/admin/build/skills/${skill}?tab=try` },
    { name: 'agent', path: `/admin/build/agents/${agent}` },
    {
      name: 'agent-changed',
      path: `/admin/build/agents/${agent}`,
      act: async (page) => {
        await page.getByLabel('Description').fill('Shows visitors around.');
        await page.getByText('Unsaved changes').waitFor();
      },
    },
    { name: 'mcp-tools', path: `/admin/build/mcp/${server}` },
    { name: 'mcp-try', path: `/admin/build/mcp/${server}?tool=grind` },
    { name: 'mcp-rules', path: `/admin/build/mcp/${server}?tab=rules` },
    { name: 'mcp-quarantined', path: `/admin/build/mcp/${server}?tab=quarantined` },
    { name: 'mcp-edit', path: `/admin/build/mcp/${server}?tab=edit` },
    { name: 'mcp-own-accounts', path: `/admin/build/mcp/${ours}` },
    { name: 'content-found', path: '/admin/build/content?q=mill' },
    { name: 'content-item', path: `/admin/build/content/${item}` },
    { name: 'plugin', path: `/admin/build/plugins/${plugin}` },
    { name: 'chat-kept', path: `/admin/talk/mill-guide/${sent.body.context_id}` },
    { name: 'chat-source', path: `/chat/passages/${item}` },
    { name: 'chat-open', path: `/chat/${sent.body.context_id}` },
    { name: 'user', path: user },
    { name: 'user-disable', path: user, act: pressing('Disable') },
    {
      name: 'audit-row',
      path: '/admin/audit?action=mcp_server.create',
      act: async (page) => {
        await page.getByRole('row').nth(1).getByRole('button').click();
        await page.getByRole('dialog').waitFor();
      },
    },
    { name: 'job-runs', path: '/admin/jobs?job=seal-audit' },
    { name: 'key-rotate', path: '/admin/settings', act: pressing('Rotate Reporting service') },
  ];
}

it('writes screenshots of every console page: first of an installation without records, then of one with records', async () => {
  await takePictures('empty', [...LISTS, ...FORMS]);
  const sights = await addRecords();
  await takePictures('data', sights);
  process.stdout.write(`pictures are in ${folder}\n`);
}, 1_200_000);
