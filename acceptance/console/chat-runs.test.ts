import { recordDecision } from '@millwright/audit';
import { createDatabase, decodeId, encodeId, type Database } from '@millwright/db';
import {
  createFakeMcpServer,
  createFakeModel,
  listen,
  type FakeMcpServer,
  type FakeModel,
  type ModelRequest,
} from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { callers } from '../harness/calls.js';
import { consoleEnv, faultsOfPages, signInToConsole, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';

const RICH = `# Grain

| Kind | kg |
|:-----|---:|
| rye  | 5  |

> A quote with [the returns page](https://example.com/returns) and [a trap](javascript:alert(1)).

- one
  - inside

\`\`\`sql
SELECT 1;
\`\`\`

![A mill](https://example.com/mill.png) <img src=x onerror=alert(1)>`;

const OBJECT = { type: 'object' };

let model: FakeModel;
let tools: FakeMcpServer;
let platform: Platform;
let browser: Browser;
let db: Database;
let call: ReturnType<typeof callers>;
/** Id of the MCP server. */
let server: string;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;

beforeAll(async () => {
  [model, tools] = await Promise.all([
    createFakeModel('Hello'),
    createFakeMcpServer('modern', [
      { name: 'look_up', description: 'Finds an address.', inputSchema: OBJECT, annotations: { readOnlyHint: true } },
      {
        name: 'send_letter',
        description: 'Sends a letter.',
        inputSchema: { ...OBJECT, properties: { to: { type: 'string' } }, required: ['to'] },
      },
    ]),
  ]);
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
  db = createDatabase({ url: platform.databaseUrl, poolMax: 2 });
  call = callers(platform);
  await call.platform('/agents', { body: { name: 'Miller', description: 'Mills.' } });
  const created = await call.platform<{ id: string }>('/mcp/servers', { body: { name: 'Post', url: tools.url } });
  server = created.body.id;
  await until(
    async () =>
      (await call.platform<{ tools_count: number }>(`/mcp/servers/${server}`)).body.tools_count === 2 || undefined,
  );
  await call.platform('/agents', {
    body: { name: 'Clerk', description: 'Writes letters.', mcp_server_ids: [server], mcp_tools: ['*'] },
  });
});

afterAll(async () => {
  await browser.close();
  await db.close();
  await platform.stop();
  await Promise.all([model.close(), tools.close()]);
});

const answer = (page: Page) => page.getByRole('article', { name: 'Miller' }).last();

async function chat(content: string): Promise<ConsolePage> {
  const opened = await openPage();
  await opened.open('/admin/talk/miller');
  await opened.page.getByLabel('Message').fill(content);
  await opened.page.keyboard.press('Enter');
  await opened.page.waitForURL(/miller\/ctx_\w+$/);
  return opened;
}

const newestRun = () => db.prisma.run.findFirstOrThrow({ orderBy: { id: 'desc' } });

describe('an answer in the chat', () => {
  it('shows tables, quotes, lists and code, links safe addresses only, and loads no image', async () => {
    model.answerWith(RICH);
    const { page, faults } = await chat('Show me grain.');
    const shown = answer(page);
    await shown.getByRole('cell', { name: 'rye' }).waitFor();
    expect(await shown.getByRole('columnheader', { name: 'kg' }).getAttribute('data-align')).toBe('right');
    const link = shown.locator('blockquote').getByRole('link', { name: 'the returns page' });
    expect([await link.getAttribute('href'), await link.getAttribute('rel')]).toEqual([
      'https://example.com/returns',
      'noopener noreferrer nofollow',
    ]);
    expect(await shown.getByRole('link', { name: 'A mill' }).getAttribute('href')).toBe('https://example.com/mill.png');
    expect(await shown.locator('img, [href^="javascript"]').count()).toBe(0);
    await shown.getByText('[a trap](javascript:alert(1))').waitFor();
    await shown.locator('ul ul').getByText('inside').waitFor();
    await shown.getByText('sql', { exact: true }).waitFor();
    await shown.getByText('SELECT 1;').waitFor();
    await shown.getByRole('button', { name: 'Copy code block' }).waitFor();
    expect(faults).toEqual([]);
    const { pathname } = new URL(page.url());
    expect(await faultsOfPages(openPage, [pathname])).toEqual([]);
  });

  it('has a link to its run', async () => {
    model.answerWith('Hello');
    const { page } = await chat('Hi');
    await answer(page).getByRole('link', { name: 'View run' }).click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    await page.getByRole('link', { name: 'Open the conversation' }).click();
    await page.getByRole('article', { name: 'You' }).waitFor();
  });
});

describe('a message without an answer', () => {
  it('can be sent again on the page of its run, to the current version of the agent or to the version of the run', async () => {
    model.answerWith({ status: 400 });
    const { page, faults } = await chat('Try twice.');
    await page.getByRole('link', { name: 'View run' }).first().click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    for (const way of ['Use the present version', /^Use version \d+$/]) {
      const failed = page.url();
      await page.getByRole('button', { name: 'Retry', exact: true }).click();
      if (way !== 'Use the present version') model.answerWith('Milled at last.');
      await page.getByRole('button', { name: way }).click();
      await page.waitForURL((url) => url.href !== failed && /\/runs\/run_\w+$/.test(url.pathname));
      await page
        .getByText(way === 'Use the present version' ? 'Failed' : 'Completed')
        .first()
        .waitFor();
    }
    await page.getByText('Milled at last.').waitFor();
    expect(await page.getByRole('button', { name: 'Retry', exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is shown as failed after a reload, with a link to its run', async () => {
    model.answerWith({ status: 400 });
    const { page } = await chat('Fail, please.');
    await page.getByRole('alert').getByText('No answer').waitFor();
    await page.reload();
    const asked = page.getByRole('article', { name: 'You' });
    await asked.getByText('Not answered: the agent failed.').waitFor();
    await asked.getByRole('link', { name: 'View run' }).click();
    await page.getByText('Failed').first().waitFor();
  });

  it('shows without a reload that its run was canceled', async () => {
    let release: (value: string) => void = () => undefined;
    model.answerWith(() => new Promise<string>((resolve) => (release = resolve)));
    const { page } = await chat('Take your time.');
    const run = await until(async () => {
      const found = await newestRun();
      return found.state === 'running' ? found : undefined;
    });
    const { page: other, open } = await openPage();
    await open(new URL(page.url()).pathname);
    const asked = other.getByRole('article', { name: 'You' });
    await asked.getByText('The agent is working.').waitFor();
    await asked.getByRole('link', { name: 'View run' }).click();
    await other.getByRole('button', { name: 'Cancel', exact: true }).click();
    await other.getByRole('button', { name: 'Cancel the run' }).click();
    await page.getByRole('article', { name: 'You' }).getByText('Canceled').waitFor();
    release('Too late.');
    const { state } = await db.prisma.run.findUniqueOrThrow({ where: { id: run.id } });
    expect(state).toBe('canceled');
  });

  it('shows why its run waits, with a link to the page where the user decides', async () => {
    model.answerWith('Hello');
    const { page } = await chat('Wait, then.');
    await answer(page).getByRole('link', { name: 'View run' }).waitFor();
    const { id, context_id } = await newestRun();
    await db.prisma.contextMessage.deleteMany({ where: { context_id: context_id ?? '', role: 'assistant' } });
    const waiting = { state: 'waiting', waiting_for: 'outcome', ended_at: null } as const;
    await db.prisma.run.update({ where: { id }, data: waiting });
    await page.reload();
    const asked = page.getByRole('article', { name: 'You' });
    await asked.getByText('Unknown outcome').waitFor();
    await asked.getByRole('link', { name: 'Decide' }).click();
    await page.waitForURL(/\/runs\/run_/);
    expect(decodeId('run', page.url().split('/').at(-1) ?? '')).toBe(id);
  });
});

describe('links to runs', () => {
  it('lead from an agent to its runs, where an admin can stop the agent and release it', async () => {
    model.answerWith('Hello');
    await call.runtime('/api/v1/agents/miller/messages', { body: { content: 'For the list' } });
    const { page, open } = await openPage();
    await open('/admin/build/agents');
    await page
      .getByRole('link', { name: /Miller/ })
      .first()
      .click();
    await page.getByRole('tab', { name: 'Runs' }).click();
    await page.getByRole('row').filter({ hasText: 'For the list' }).waitFor();
    await page.getByRole('button', { name: 'Stop all runs' }).click();
    await page.getByRole('button', { name: 'Stop the agent' }).click();
    await page.getByText('no run starts').waitFor();
    const refused = await call.runtime('/api/v1/agents/miller/messages', { body: { content: 'Anyone?' } });
    expect(refused.status).toBe(409);
    await page.getByRole('button', { name: 'Release' }).click();
    await page.getByRole('button', { name: 'Stop all runs' }).waitFor();
    await page.getByRole('link', { name: 'View all' }).click();
    await page.waitForURL(/\/runs\?agent=ag_\w+$/);
    await page.getByRole('link', { name: /For the list/ }).click();
    await page.waitForURL(/\/runs\/run_\w+$/);
  });

  it('lead from the dashboard to the runs with errors', async () => {
    const { page, open } = await openPage();
    await open('/admin');
    await page
      .getByRole('region', { name: 'Figures' })
      .getByRole('link', { name: /Errors/ })
      .click();
    await page.waitForURL(/\/runs\?has_error=true&period=week$/);
    await page.getByLabel('Errors').waitFor();
    expect(await page.getByLabel('Errors').inputValue()).toBe('true');
  });

  it('lead from the audit row of a tool call to its run', async () => {
    const run = await newestRun();
    const id = encodeId('run', run.id);
    await db.transaction((tx) =>
      recordDecision(tx, {
        actor: { userId: run.user_id, kind: 'mcp', label: 'Scales' },
        action: 'tool.call',
        resource: 'pl_1',
        project: 'Core',
        detail: { tool: 'weigh', run: id },
      }),
    );
    const { page, open } = await openPage();
    await open('/admin/audit?action=tool.call');
    await page.getByRole('row').filter({ hasText: 'tool.call' }).first().getByRole('button').click();
    await page.getByRole('dialog').getByRole('link', { name: 'View run' }).click();
    await page.waitForURL(new RegExp(`/runs/${id}$`));
  });

  it('contain the filters of the list of runs, so that a reload shows the same list', async () => {
    const { page, open } = await openPage();
    await open('/admin/runs');
    await page.getByLabel('Cost').selectOption('1');
    await page.waitForURL(/min_cost=1/);
    await page.getByText('No results').waitFor();
    await page.getByLabel('Cost').selectOption('');
    await page.getByLabel('Model').fill('fake');
    await page.waitForURL(/model=fake/);
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'For the list' }).waitFor();
    expect(await page.getByLabel('Model').inputValue()).toBe('fake');
  });
});

interface Rules {
  items: { name: string; rule: string | null; other_decider: boolean }[];
}

describe('rules of tools', () => {
  it('can be set to the suggested rules of a server, for a single tool, and for the whole project', async () => {
    const { page, open, faults } = await openPage();
    await open(`/admin/build/mcp/${server}?tab=rules`);
    const radio = (rule: string, tool: string) => page.getByRole('radio', { name: `${rule}: ${tool}` });
    expect(await radio('Policy', 'send_letter').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Use suggestions' }).click();
    expect([await radio('Allow', 'look_up').isChecked(), await radio('Ask', 'send_letter').isChecked()]).toEqual([
      true,
      true,
    ]);
    await radio('Deny', 'look_up').check();
    await page.getByRole('checkbox', { name: 'Second person: look_up' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Applies from the next call.').waitFor();
    const { body } = await call.platform<Rules>(`/mcp/servers/${server}/tools/rules`);
    expect(body.items.map(({ name, rule, other_decider }) => [name, rule, other_decider])).toEqual([
      ['look_up', 'deny', true],
      ['send_letter', 'ask', false],
    ]);

    await open('/admin/build/tool-policy');
    await page.getByLabel('Ask after text from outside').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^Changed/).waitFor();
    const policy = await call.platform('/tool-policy');
    expect(policy.body).toMatchObject({ unmarked_tools: 'ask_when_tainted', other_decider: false });

    const plugin = await call.platform<{ id: string }>('/plugins', {
      body: { name: 'Scales', type: 'tool', config: { url: tools.url } },
    });
    const pluginPage = `/admin/build/plugins/${plugin.body.id}`;
    await open(pluginPage);
    await page.getByLabel('Calls').selectOption('deny');
    await page.getByLabel('Second person').check();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await page.getByText('Saved. Applies from the next call.').waitFor();
    const rule = await call.platform(`/plugins/${plugin.body.id}/rule`);
    expect(rule.body).toMatchObject({ rule: 'deny', other_decider: true, effective: 'deny' });
    expect(faults).toEqual([]);
    const pages = [`/admin/build/mcp/${server}?tab=rules`, '/admin/build/tool-policy', pluginPage];
    expect(await faultsOfPages(openPage, pages)).toEqual([]);
  });
});

/** Makes the model call `send_letter` with each of these arguments, and then answer with the last result of a call. */
function askFor(...letters: object[]): void {
  model.answerWith(({ body }: ModelRequest) => {
    const last = body.messages.at(-1);
    if (last?.role === 'tool') return `Read: ${String(last.content)}`;
    const defined = (body['tools'] ?? []) as { function: { name: string } }[];
    const name = defined.map((tool) => tool.function.name).find((one) => one.endsWith('send_letter')) ?? '';
    return {
      content: null,
      toolCalls: letters.map((letter, index) => ({
        id: `call_${index}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(letter) },
      })),
    };
  });
}

describe('a call that needs approval', () => {
  const setRule = async () => {
    const path = `/mcp/servers/${server}/tools/rules`;
    const { body } = await call.platform<{ items: { name: string; hash: string }[] }>(path);
    const rules = body.items.map(({ name, hash }) => ({ name, hash, rule: name === 'look_up' ? 'deny' : 'ask' }));
    await call.platform(path, { method: 'PUT', body: { rules } });
  };
  const card = (page: Page, place = 0) => page.getByRole('group', { name: /^Approval of .*send_letter$/ }).nth(place);

  async function chatWithClerk(content: string): Promise<ConsolePage> {
    const opened = await openPage();
    await opened.open('/admin/talk/clerk');
    await opened.page.getByLabel('Message').fill(content);
    await opened.page.keyboard.press('Enter');
    await card(opened.page).waitFor();
    return opened;
  }

  it('can be changed and approved in the chat, where the answer continues; the page of the run shows the change', async () => {
    await setRule();
    askFor({ to: 'Ada' });
    const { page, faults } = await chatWithClerk('Write to Ada.');
    expect(tools.calls).toEqual([]);
    await card(page).getByText('"to": "Ada"').waitFor();
    await card(page).getByText('A rule requires approval.').waitFor();
    await card(page).getByRole('button', { name: 'Edit and approve' }).click();
    const input = card(page).getByLabel(/^Arguments for/);
    const approve = card(page).getByRole('button', { name: 'Approve with changes' });
    await input.fill('{ "to": ');
    await card(page)
      .getByText(/Invalid JSON/)
      .waitFor();
    expect(await approve.isDisabled()).toBe(true);
    await input.fill('{ "to": 7 }');
    await approve.click();
    await card(page)
      .getByText(/arguments\.to/)
      .waitFor();
    const { pathname } = new URL(page.url());
    expect(await faultsOfPages(openPage, [pathname, '/admin/inbox'])).toEqual([]);

    await input.fill('{ "to": "Grace" }');
    await approve.click();
    await page.getByText(/^Read: A person changed the arguments/).waitFor();
    expect(tools.calls.map(({ arguments: args }) => args)).toEqual([{ to: 'Grace' }]);
    await page.getByRole('article', { name: 'Clerk' }).getByRole('link', { name: 'View run' }).click();
    await page.waitForURL(/\/runs\/run_\w+$/);
    await page.locator('summary').nth(1).click();
    await page.getByText(/^Approved by .* with changed arguments$/).waitFor();
    await page.getByLabel('arguments of the model').getByText('"to": "Ada"').waitFor();
    await page.getByLabel('arguments', { exact: true }).getByText('"to": "Grace"').waitFor();
    expect(faults).toEqual([]);
  });

  it('can be refused with a reason in the inbox; the agent then continues without the call', async () => {
    askFor({ to: 'Noor' });
    await chatWithClerk('Write to Noor.');
    const before = tools.calls.length;
    const { page, open } = await openPage();
    await open('/admin/inbox');
    const entry = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Inbox' });
    await entry.getByText('1 waiting').waitFor();
    await card(page).getByRole('button', { name: 'Refuse' }).click();
    await card(page).getByLabel('Reason').fill('Noor has left.');
    await card(page).getByRole('button', { name: 'Refuse the call' }).click();
    await page.getByText('Nothing to decide').waitFor();
    await until(async () => (await newestRun()).state === 'completed' || undefined);
    const { body } = await call.runtime<{ output: string }>(`/api/v1/runs/${encodeId('run', (await newestRun()).id)}`);
    expect(body.output).toContain('Noor has left.');
    expect(tools.calls).toHaveLength(before);
  });

  it('can be decided on the page to which the event approval.requested links', async () => {
    const receiver = await listen((request, response) => void request.resume().on('end', () => response.end()));
    const webhook = { name: 'Decisions', url: receiver.url, event_types: ['approval.requested'] };
    expect((await call.platform('/webhooks', { body: webhook })).status).toBe(201);
    askFor({ to: 'Ada' });
    await chatWithClerk('Write to Ada.');
    const { data } = await db.prisma.event.findFirstOrThrow({ where: { type: 'approval.requested' } });
    const { page } = await openPage();
    await page.goto((data as { url: string }).url);
    await card(page).getByRole('button', { name: 'Approve', exact: true }).click();
    await until(async () => (await newestRun()).state === 'completed' || undefined);
    expect(tools.calls.at(-1)?.arguments).toEqual({ to: 'Ada' });
    await receiver.close();
  });

  it('can be approved with changes, or refused, in the chat with an agent when a second agent, which the first called, makes the call', async () => {
    const { items } = (await call.platform<{ items: { id: string; name: string }[] }>('/agents')).body;
    const clerk = items.find(({ name }) => name === 'Clerk')?.id ?? '';
    const front = { name: 'Front', description: 'Lets the clerk write.', agent_ids: [clerk] };
    expect((await call.platform('/agents', { body: front })).status).toBe(201);
    model.answerWith(({ body }: ModelRequest) => {
      const defined = (body['tools'] ?? []) as { function: { name: string } }[];
      const names = defined.map((tool) => tool.function.name);
      const read = body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
      const ask = (name: string, args: object) => ({
        content: null,
        toolCalls: [
          { id: `call_${read.length}`, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } },
        ],
      });
      const asked = names.find((one) => one === 'ask_clerk');
      if (asked) return read.length === 0 ? ask(asked, { message: 'Write twice.' }) : `Heard: ${read.join(' | ')}`;
      const letter = names.find((one) => one.endsWith('send_letter')) ?? '';
      return read.length < 2 ? ask(letter, { to: `Reader ${read.length}` }) : `Read: ${read.join(' | ')}`;
    });
    const before = tools.calls.length;
    const { page, open, faults } = await openPage();
    await open('/admin/talk/front');
    await page.getByLabel('Message').fill('Let the clerk write.');
    await page.keyboard.press('Enter');
    await card(page).getByText('"to": "Reader 0"').waitFor();
    await card(page)
      .getByText(/^Clerk|^clerk/)
      .waitFor();
    const { pathname } = new URL(page.url());
    expect(await faultsOfPages(openPage, [pathname])).toEqual([]);
    await card(page).getByRole('button', { name: 'Edit and approve' }).click();
    await card(page)
      .getByLabel(/^Arguments for/)
      .fill('{ "to": "Lin" }');
    await card(page).getByRole('button', { name: 'Approve with changes' }).click();
    await card(page).getByText('"to": "Reader 1"').waitFor();
    await card(page).getByRole('button', { name: 'Refuse' }).click();
    await card(page).getByLabel('Reason').fill('One letter is enough.');
    await card(page).getByRole('button', { name: 'Refuse the call' }).click();
    await page.getByText(/^Heard: Read: .*One letter is enough/).waitFor();
    expect(tools.calls.slice(before).map(({ arguments: args }) => args)).toEqual([{ to: 'Lin' }]);
    expect(await card(page).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('cannot be decided twice; the second decision is refused with the name of the user who decided first', async () => {
    askFor({ to: 'Ada' }, { to: 'Grace' });
    const { page } = await chatWithClerk('Write to both.');
    const run = encodeId('run', (await newestRun()).id);
    const listed = await call.runtime<{ items: { id: string; arguments: string }[] }>(`/api/v1/runs/${run}/approvals`);
    const first = listed.body.items.find(({ arguments: args }) => args.includes('Ada'));
    const path = `/api/v1/runs/${run}/approvals/${first?.id ?? ''}`;
    expect((await call.runtime(path, { body: { decision: 'refuse' } })).status).toBe(200);
    await card(page).filter({ hasText: '"to": "Ada"' }).getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText(/^Not saved\. Refused by /).waitFor();
    await card(page).getByText('"to": "Grace"').waitFor();
    await card(page).getByRole('button', { name: 'Approve', exact: true }).click();
    await until(async () => (await newestRun()).state === 'completed' || undefined);
    expect(tools.calls.at(-1)?.arguments).toEqual({ to: 'Grace' });
  });
});
