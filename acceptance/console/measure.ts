import { loadavg } from 'node:os';
import { createFakeModel, type FakeModel } from '@millwright/testing';
import { launchChromium } from '@millwright/testing/chromium';
import type { Browser } from 'playwright-core';
import { callers } from '../harness/calls.js';
import { consoleSizes, FIRST_VIEW_BYTES, PAGE_BYTES, sizeFaults, type ConsoleSizes } from '../harness/console-size.js';
import { navigationOf, signInToConsole, type ConsolePage } from '../harness/console.js';
import { startPlatform, type Platform } from '../harness/platform.js';
import { until } from '../harness/until.js';

/** `npm run console:measure`: prints the console's size and speed, on a new installation. It fails when a size exceeds its limit. */

let model: FakeModel;
let platform: Platform;
let browser: Browser;
let openPage: () => Promise<ConsolePage>;

beforeAll(async () => {
  model = await createFakeModel();
  const env = { MODEL_BASE_URL: model.url, MODEL_API_KEY: 'model-key', MODEL_NAME: 'fake' };
  [platform, browser] = await Promise.all([startPlatform({ env }), launchChromium()]);
  openPage = await signInToConsole(platform, browser, 'admin@localhost');
  const call = callers(platform);
  for (let n = 0; n < 30; n += 1)
    await call.platform('/skills', { body: { name: `Skill ${n}`, description: '', instructions: 'Do it.' } });
});

afterAll(async () => {
  await browser.close();
  await platform.stop();
  await model.close();
});

const kib = (bytes: number) => `${(bytes / 1_024).toFixed(1)} KiB`;
const print = (text: string) => process.stdout.write(`${text}\n`);

/**
 * A script for the page that stores the time at which the page has its heading and all its data in `usableAt`. It is a string, because this
 * project's types have no `document`.
 */
const NOTE_USABLE = `(() => {
  const isUsable = () => document.querySelector('main h1') && !document.querySelector('[aria-busy="true"]');
  const watch = () => {
    if (isUsable()) globalThis.usableAt ??= performance.now();
    else { globalThis.usableAt = undefined; }
    requestAnimationFrame(watch);
  };
  watch();
})()`;

const RUNS = 5;
const THROTTLE = 4;

/** Milliseconds from navigation until the page is usable, with an empty browser cache. */
async function timeToUsable(path: string, rate: number): Promise<number[]> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { page, open } = await openPage();
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate });
    await page.addInitScript(NOTE_USABLE);
    await open(path);
    // Polls by `evaluate`, because the page's content security policy blocks the polling of `waitForFunction`.
    const usableAt = await until(() => page.evaluate<number | undefined>('globalThis.usableAt'));
    times.push(Math.round(usableAt));
    await page.context().close();
  }
  return times.sort((a, b) => a - b);
}

/**
 * Bytes that a browser with an empty cache receives for a page: scripts of the first view, scripts of the page, later scripts, and the
 * total.
 */
async function transferredBy(path: string, { firstView, ofPage }: ConsoleSizes['files']): Promise<number[]> {
  const { page, open } = await openPage();
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  const names = new Map<string, string>();
  const received = new Map<string, number>();
  cdp.on('Network.responseReceived', ({ requestId, response, type }) => {
    names.set(requestId, type === 'Script' ? (new URL(response.url).pathname.split('/').at(-1) ?? '') : '');
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => received.set(requestId, encodedDataLength));
  await open(path);
  await page.waitForLoadState('networkidle');
  await page.context().close();
  const scripts = [...names.values()].filter((name) => name !== '');
  const ofThisPage = new Set(scripts.flatMap((name) => [...(ofPage.get(name) ?? [])]));
  const sum = (isCounted: (name: string) => boolean) =>
    [...received].reduce((bytes, [id, length]) => bytes + (isCounted(names.get(id) ?? '') ? length : 0), 0);
  return [
    sum((name) => firstView.has(name)),
    sum((name) => ofThisPage.has(name)),
    sum((name) => name !== '' && !firstView.has(name) && !ofThisPage.has(name)),
    sum(() => true),
  ];
}

describe('the console', () => {
  it('prints the size of the JavaScript that it loads', () => {
    const sizes = consoleSizes();
    const { firstView, signIn, pages, parts } = sizes;
    print(`JavaScript by gzip: first view ${kib(firstView)}, a page of the sign-in ${kib(signIn)}`);
    print(
      `  pages add (largest): ${pages
        .slice(0, 5)
        .map(({ name, bytes }) => `${name} ${kib(bytes)}`)
        .join(', ')}`,
    );
    print(
      `  parts that come later (largest): ${parts
        .slice(0, 3)
        .map(({ name, bytes }) => `${name} ${kib(bytes)}`)
        .join(', ')}`,
    );
    expect(pages.length).toBeGreaterThan(10);
    expect(sizeFaults(sizes)).toEqual([]);
  });

  it('transfers no more script to a browser than allowed, on any page of its navigation (prints a table)', async () => {
    const { files } = consoleSizes();
    const { page: first, open: openFirst } = await openPage();
    await openFirst('/admin');
    const addresses = await navigationOf(first);
    print(
      'KiB transferred with an empty cache: address, first view, page, later parts, everything (styles, fonts, data)',
    );
    const faults: string[] = [];
    for (const address of addresses) {
      const sums = await transferredBy(address, files);
      print(`  ${[address, ...sums.map((bytes) => (bytes / 1_024).toFixed(1))].join('  ')}`);
      const [firstView = 0, page = 0] = sums;
      if (firstView > FIRST_VIEW_BYTES || page > PAGE_BYTES || firstView === 0)
        faults.push(`${address}: ${firstView} and ${page} bytes`);
    }
    expect(addresses.length).toBeGreaterThan(10);
    expect(faults).toEqual([]);
  });

  it('prints the time from opening a page until it can be used', async () => {
    print(`load average ${loadavg()[0]?.toFixed(1) ?? ''}`);
    for (const path of ['/admin/build/skills', '/admin/settings', '/admin']) {
      for (const rate of [1, THROTTLE]) {
        const times = await timeToUsable(path, rate);
        print(`${path} at CPU 1/${rate}: ${times[Math.floor(RUNS / 2)]} ms (${times.join(', ')})`);
      }
    }
  });

  it('sends no request to another origin, on any page of its navigation', async () => {
    const { page, faults, open } = await openPage();
    await open('/admin');
    const addresses = await navigationOf(page);
    for (const address of addresses) await open(address);
    print(
      `requests to other origins on ${addresses.length} pages: ${faults.filter((fault) => fault.startsWith('request to')).length}`,
    );
    expect(faults).toEqual([]);
  });
});
