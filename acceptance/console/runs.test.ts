import { createDatabase, decodeId, newId, type Database } from '@millwright/db';
import { createRunStore } from '@millwright/runs';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { consoleEnv, faultsOfPages, signInToConsole, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { storedRuns, type End } from '../harness/stored-runs.js';

const LONG = '<img src=x onerror=alert(1)> '.repeat(40) + 'W'.repeat(300);

let model: FakeModel;
let platform: Platform;
let browser: Browser;
let db: Database;
let openPage: (options?: BrowserContextOptions) => Promise<ConsolePage>;
let storeRun: ReturnType<typeof storedRuns>;

beforeAll(async () => {
  model = await createFakeModel('Hello');
  [platform, browser] = await Promise.all([startPlatform({ env: consoleEnv(model.url) }), launchChromium()]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
  db = createDatabase({ url: platform.databaseUrl, poolMax: 2 });
  const { id } = await db.prisma.user.findFirstOrThrow({ where: { email: 'admin@localhost' } });
  storeRun = storedRuns(db, { userId: id, kind: 'user', label: 'Admin' });
});

afterAll(async () => {
  await browser.close();
  await db.close();
  await platform.stop();
  await model.close();
});

const newRun = (name: string, end: End, pairs: number, text: string) => storeRun({ name, end, pairs, text });

describe('the inbox', () => {
  it('shows the number of waiting runs in the navigation, and lets users resolve unknown outcomes without opening another page', async () => {
    const { page, open, faults } = await openPage();
    await open('/admin/inbox');
    await page.getByText('Nothing to decide').waitFor();
    const [first, second] = [
      await newRun('mailer', 'waiting', 1, 'Send the letter'),
      await newRun('payer', 'waiting', 1, 'Pay the bill'),
    ];
    // The open page shows the waiting runs without a reload.
    const card = (name: string) => page.getByRole('region', { name });
    await card('mailer').getByText('Send the letter').first().waitFor();
    await card('payer').getByLabel('arguments of step 2').getByText('"text": "Pay the bill"').waitFor();
    const entry = page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Inbox' });
    await entry.getByText('2 waiting').waitFor();

    await card('payer').getByRole('button', { name: 'Stop the run' }).click();
    await card('payer').waitFor({ state: 'detached' });
    await entry.getByText('1 waiting').waitFor();
    await card('mailer').getByRole('button', { name: 'It happened' }).click();
    await page.getByText('Nothing to decide').waitFor();
    await entry.getByText('waiting').waitFor({ state: 'detached' });
    const outcomes = await Promise.all(
      [first, second].map((id) =>
        db.prisma.runStep.findFirst({ where: { run_id: decodeId('run', id) ?? '', kind: 'tool' } }),
      ),
    );
    expect(outcomes.map((step) => step?.outcome)).toEqual(['succeeded', 'unknown']);
    expect(faults).toEqual([]);
  });

  it('has links to the pages of runs', async () => {
    const id = await newRun('clerk', 'waiting', 1, 'File it');
    const { page, open } = await openPage();
    await open('/admin/inbox');
    await page.getByRole('region', { name: 'clerk' }).getByRole('link', { name: 'View run' }).click();
    await page.waitForURL(new RegExp(`/admin/runs/${id}$`));
    await page.getByRole('button', { name: 'Stop the run' }).click();
    await page.getByText('Canceled').first().waitFor();
  });

  it("links to the page where a run's user connects the missing account, and omits runs that wait for a budget", async () => {
    const url = 'https://runtime.example.com/connections/ms_1';
    const connection = { reason: 'connection', data: { server: 'ms_1', name: 'Calendar', url } } as const;
    const wait = { end: 'waiting', pairs: 1, text: 'Look it up' } as const;
    await storeRun({ ...wait, name: 'spender', waits: { reason: 'budget', data: {} } });
    const id = await storeRun({ ...wait, name: 'planner', waits: connection });
    const { page, open, faults } = await openPage();
    await open('/admin/inbox');
    const card = page.getByRole('region', { name: 'planner' });
    const link = card.getByRole('link', { name: 'Connect to Calendar in a new tab' });
    expect(await link.getAttribute('href')).toBe(url);
    await page
      .getByRole('navigation', { name: 'Console' })
      .getByRole('link', { name: 'Inbox' })
      .getByText('1 waiting')
      .waitFor();
    expect(await page.getByRole('region', { name: 'spender' }).count()).toBe(0);
    await open(`/admin/runs/${id}`);
    await page.getByRole('alert').getByRole('link', { name: 'Connect to Calendar in a new tab' }).waitFor();
    expect(faults).toEqual([]);
    await db.prisma.run.deleteMany({ where: { subject_name: { in: ['planner', 'spender'] } } });
  });

  it('shows 25 runs per page, with a link to older runs', async () => {
    for (let n = 0; n < 26; n += 1) await newRun(`queue ${n}`, 'waiting', 1, 'x');
    const { page, open } = await openPage();
    await open('/admin/inbox');
    await page.getByRole('link', { name: 'Inbox' }).getByText('25+ waiting').waitFor();
    const cards = page.getByRole('main').getByRole('region');
    expect(await cards.count()).toBe(25);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByRole('region', { name: 'queue 0' }).waitFor();
    expect(await cards.count()).toBe(1);
    await db.prisma.run.deleteMany({ where: { subject_name: { startsWith: 'queue ' } } });
  });
});

const pathOf = (id: string) => `/admin/runs/${id}`;

describe('pages of runs', () => {
  it('have no serious accessibility fault, execute no record text as script, and fit the screen, in each state of a run', async () => {
    const ids = [
      await newRun('miller', 'completed', 2, LONG),
      await newRun('miller', 'failed', 1, LONG),
      await newRun('miller', 'waiting', 1, 'Send it'),
      await newRun('miller', 'running', 1, 'Weigh it'),
      await newRun('miller', 'completed', 100, 'Weigh it'),
      await newRun('miller', 'canceled', 1, 'Weigh it'),
      await storeRun({ name: 'miller', end: 'completed', pairs: 2, text: 'Weigh them', calls: 12 }),
    ];
    expect(
      await faultsOfPages(openPage, ['/admin/inbox', '/admin/runs', '/admin/runs?state=queued', ...ids.map(pathOf)]),
    ).toEqual([]);
  });

  it('link from the list to a run, which shows its steps and the messages that each step sent to the model', async () => {
    const id = await newRun('baker', 'failed', 1, 'Bake it');
    const { page, open } = await openPage();
    await open('/admin/runs?agent=baker');
    await page.getByRole('link', { name: /baker/ }).click();
    await page.getByRole('heading', { level: 1, name: 'baker' }).waitFor();
    expect(page.url()).toContain(id);
    await page.getByText('Failed').first().waitFor();
    await page
      .getByText(/the upstream answered 502/)
      .first()
      .waitFor();
    await page.locator('summary').first().click();
    await page.getByRole('button', { name: 'Show the messages sent' }).click();
    await page.getByText('"role": "system"').waitFor();
    await page.locator('summary').nth(1).click();
    await page.getByLabel('arguments', { exact: true }).getByText('"text": "Bake it"').waitFor();
    await page.getByText('Allow: agents call it by themselves').waitFor();
    await page.getByRole('button', { name: 'Bad answer' }).click();
    await page.getByRole('button', { name: 'Bad answer', pressed: true }).waitFor();
    const { feedback } = await db.prisma.run.findUniqueOrThrow({ where: { id: decodeId('run', id) ?? '' } });
    expect(feedback).toBe('down');
  });

  it('show a change of a run without a reload', async () => {
    const id = await newRun('watcher', 'running', 1, 'Wait');
    const { page, open } = await openPage();
    await open(pathOf(id));
    await page.getByText('Running').first().waitFor();
    await db.transaction((tx) => createRunStore(db).cancel(tx, decodeId('run', id) ?? ''));
    await page.getByText('Canceled').first().waitFor();
  });

  it("let the run's user resolve an unknown outcome, and cancel the run", async () => {
    const waiting = await newRun('sender', 'waiting', 1, 'Send it');
    const { page, open } = await openPage();
    await open(pathOf(waiting));
    await page.getByText('Check whether the call had its effect').waitFor();
    await page.getByRole('button', { name: 'It did not happen' }).click();
    // The run continues, and then fails, because its agent does not exist.
    await page.getByText('Failed').first().waitFor();
    const run_id = decodeId('run', waiting) ?? '';
    const decided = await db.prisma.runStep.findUniqueOrThrow({ where: { run_id_seq: { run_id, seq: 2 } } });
    expect([decided.outcome, decided.result]).toEqual(['failed', expect.stringContaining('had no effect')]);

    for (const kind of ['agent', 'prompt'] as const) {
      await open(pathOf(await storeRun({ name: 'runner', end: 'running', pairs: 1, text: 'Run', kind })));
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByRole('button', { name: 'Cancel the run' }).click();
      await page.getByText('Canceled').first().waitFor();
    }
  });

  it('show the position of a queued run', async () => {
    const [busy, queued] = [await newRun('first', 'running', 1, 'x'), await newRun('second', 'running', 1, 'x')];
    const { id: user_id } = await db.prisma.user.findFirstOrThrow({ where: { email: 'admin@localhost' } });
    // A run stays queued while another run of its conversation executes.
    const { id: context_id } = await db.prisma.context.create({ data: { id: newId(), project: 'Core', user_id } });
    const rowOf = (id: string) => ({ where: { id: decodeId('run', id) ?? '' } });
    await db.prisma.run.update({ ...rowOf(busy), data: { context_id } });
    await db.prisma.run.update({ ...rowOf(queued), data: { context_id, state: 'queued', lease_until: null } });
    const { page, open } = await openPage();
    await open(pathOf(queued));
    await page.getByText('1 of the queued runs of the project').waitFor();
    await db.prisma.run.deleteMany({ where: { context_id } });
  });
});
