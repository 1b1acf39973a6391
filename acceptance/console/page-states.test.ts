import { readFileSync } from 'node:fs';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import { consoleEnv, signInToConsole, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';

const UUID = '00000000-0000-4000-8000-000000000000';
const ID = '0000000000000000000000';

interface PageStates {
  address: string;
  /** Text that the page shows without records. For the page of one record: its text when the record is missing. For a form: its button. */
  empty: string;
  /** Whether the page is a form. A form is shown at once, because it loads only the choices of its inputs. */
  isForm?: boolean;
}

const list = (address: string, empty: string): PageStates => ({ address: `/admin${address}`, empty });
const record = (address: string, noun: string) => list(address, `${noun} not found`);
const form = (address: string, submit: string): PageStates => ({ ...list(address, submit), isForm: true });

/** The states of each page, by the page's file. */
const PAGES: Readonly<Record<string, PageStates>> = {
  'chat/chat.page': { address: '/chat', empty: 'Chat with Concierge' },
  'chat/passage.page': { address: `/chat/passages/kn_${ID}`, empty: 'Source not found' },
  'dashboard/dashboard.page': list('', 'No messages in the last 7 days'),
  'setup/setup.page': list('/setup', 'Add sample records'),
  'connect/connect.page': list('/connect', 'Create API key'),
  'profile/profile.page': list('/profile', 'No apps'),
  'settings/settings.page': list('/settings?tab=tokens', 'No access tokens yet'),
  'talk/talk.page': list('/talk', 'No conversations yet.'),
  'talk/chat.page': list('/talk/concierge', 'Chat with Concierge'),
  'models/models.page': list('/build/models', 'fake'),
  'models/new-model.page': form('/build/models/new', 'Add model'),
  'models/model.page': record(`/build/models/md_${ID}`, 'Model'),
  'agents/agents.page': list('/build/agents', 'No custom agents yet'),
  'agents/new-agent.page': form('/build/agents/new', 'Create agent'),
  'agents/agent.page': record(`/build/agents/ag_${ID}`, 'Agent'),
  'skills/skills.page': list('/build/skills', 'No skills yet'),
  'skills/new-skill.page': form('/build/skills/new', 'Create skill'),
  'skills/skill.page': record(`/build/skills/sk_${ID}`, 'Skill'),
  'mcp/servers.page': list('/build/mcp', 'No MCP servers yet'),
  'mcp/new-server.page': form('/build/mcp/new', 'Add server'),
  'mcp/server.page': record(`/build/mcp/ms_${ID}`, 'MCP server'),
  'content/content.page': list('/build/content', 'No content yet'),
  'content/new-item.page': form('/build/content/new', 'Create item'),
  'content/item.page': record(`/build/content/kn_${ID}`, 'Content item'),
  'plugins/plugins.page': list('/build/plugins', 'No plugins yet'),
  'plugins/new-plugin.page': form('/build/plugins/new', 'Install plugin'),
  'plugins/plugin.page': record(`/build/plugins/pl_${ID}`, 'Plugin'),
  'tool-rules/tool-policy.page': list('/build/tool-policy', 'The default of this installation.'),
  'guards/guards.page': list('/build/guards', 'Save'),
  'files/files.page': list('/build/files', 'No files yet'),
  'prompts/prompts.page': list('/prompts', 'No prompts yet'),
  'prompts/new-prompt.page': form('/prompts/new', 'Create prompt'),
  'prompts/prompt.page': record(`/prompts/${UUID}`, 'Prompt'),
  'blocks/blocks.page': list('/blocks', 'No blocks yet'),
  'blocks/new-block.page': form('/blocks/new', 'Create block'),
  'blocks/block.page': record(`/blocks/${UUID}`, 'Block'),
  'conversations/conversations.page': list('/conversations', 'No conversations yet'),
  'conversations/conversation.page': record(`/conversations/${UUID}`, 'Conversation'),
  'users/users.page': list('/access/users?search=nobody', 'No results'),
  'users/user.page': list(`/access/users/usr_${ID}`, 'Not found'),
  'inbox/inbox.page': list('/inbox', 'Nothing to decide'),
  'runs/runs.page': list('/runs', 'No runs yet'),
  'runs/run.page': list(`/runs/run_${ID}`, 'Not found'),
  'audit/audit.page': list('/audit?action=none.such', 'No results'),
  'triggers/triggers.page': list('/triggers', 'No triggers yet'),
  'triggers/new-trigger.page': form('/triggers/new', 'Add trigger'),
  'triggers/trigger.page': record(`/triggers/tr_${ID}`, 'Trigger'),
  'webhooks/webhooks.page': list('/webhooks', 'No webhooks yet'),
  'webhooks/new-webhook.page': form('/webhooks/new', 'Add webhook'),
  'webhooks/webhook.page': record(`/webhooks/wh_${ID}`, 'Webhook'),
  'budgets/budgets.page': list('/budgets', 'No budgets yet'),
  'budgets/new-budget.page': form('/budgets/new', 'Add budget'),
  'budgets/prices.page': list('/budgets/prices', 'No prices'),
  'budgets/budget.page': record(`/budgets/bg_${ID}`, 'Budget'),
  'jobs/jobs.page': list('/jobs', 'Scheduled jobs'),
  'limits/limits.page': list('/limits', 'Never'),
  'enterprises/enterprises.page': list('/enterprises', 'Core'),
  'enterprises/enterprise.page': list('/enterprises/Nowhere', 'Not found'),
  'usage/usage.page': list('/usage', 'No usage in this period'),
  'report/report.page': list('/reports/internal', 'Usage by day'),
};

const pageFiles = () => {
  const routes = readFileSync(new URL('../../apps/console/src/routes.tsx', import.meta.url), 'utf8');
  return [...routes.matchAll(/import\('\.\/pages\/([\w/-]+\.page)\.js'\)/g)].map(([, file = '']) => file);
};

const CAUSE = 'The disk of the test is full.';
const REQUEST = 'request-of-the-test';

/**
 * Behaviour of the page's reads in a test: they wait until `releaseReads` is called, or they fail. The read of the signed-in user always succeeds,
 * because the frame around the page needs the user.
 */
type Reads = 'wait' | 'fail';

/** Replaces `fetch` in each document. Requests are not intercepted in the browser, because that would disable its cache of scripts. */
const FETCH = `(() => {
  const send = globalThis.fetch;
  const released = new Promise((resolve) => (globalThis.releaseReads = resolve));
  globalThis.fetch = async (input, init) => {
    const { method, url } = new Request(input, init);
    if (method === 'GET' && /\\/admin\\/api\\/(?!me$)/.test(url)) {
      if (sessionStorage.getItem('reads') === 'fail')
        return Response.json(
          { error: { code: 'internal_error', message: '${CAUSE}' } },
          { status: 500, headers: { 'x-request-id': '${REQUEST}' } },
        );
      await released;
    }
    return send(input, init);
  };
})()`;

let model: FakeModel;
let platform: Platform;
let browser: Browser;
let tab: ConsolePage;

beforeAll(async () => {
  model = await createFakeModel('Yes.');
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  const openPage = await signInToConsole(platform, browser, 'admin@localhost');
  tab = await openPage();
  await tab.open('/admin');
  await tab.page.addInitScript(FETCH);
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await model.close();
});

/** Opens an address in a new document whose reads wait or fail. */
async function openWith(reads: Reads, address: string): Promise<ConsolePage> {
  tab.faults.length = 0;
  await tab.page.evaluate(`sessionStorage.setItem('reads', '${reads}')`);
  await tab.page.goto(`${platform.baseUrl}${address}`);
  return tab;
}

const main = (page: Page) => page.locator('main');
const busy = (page: Page) => main(page).locator('[aria-busy="true"]');
const submit = (page: Page, name: string) => main(page).locator('form').getByRole('button', { name, exact: true });

describe('the table of pages in this file', () => {
  it('contains every page of the console', () => {
    expect(Object.keys(PAGES).sort()).toEqual(pageFiles().sort());
  });
});

describe.each(Object.entries(PAGES))('%s', (_file, { address, empty, isForm = false }) => {
  it('shows a skeleton while it loads, and then its text for an installation without records', async () => {
    const { page, faults } = await openWith('wait', address);
    await main(page).locator('h1').first().waitFor();
    if (isForm) await submit(page, empty).waitFor();
    else await busy(page).first().waitFor();
    expect(await main(page).getByRole('alert').count()).toBe(0);
    await page.evaluate('releaseReads()');
    if (isForm) await submit(page, empty).waitFor();
    else await main(page).getByText(empty, { exact: true }).first().waitFor();
    await busy(page).first().waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('shows the cause of a failure, with its request ID and a button to try again', async () => {
    const { page, faults } = await openWith('fail', address);
    await main(page).locator('h1').first().waitFor();
    if (isForm) {
      await submit(page, empty).waitFor();
    } else {
      const alert = main(page).getByRole('alert').filter({ hasText: CAUSE }).first();
      await alert.getByText(REQUEST).waitFor();
      await alert.getByRole('button', { name: 'Try again' }).waitFor();
    }
    await busy(page).first().waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});
