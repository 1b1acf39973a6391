import { addAuthenticator, createPages, seriousFaults } from '@millwright/testing/chromium';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Platform } from './platform.js';

/** A page of the console, and its faults: script errors, violations of the policy, requests to other hosts, dialogs. */
export interface ConsolePage {
  page: Page;
  faults: string[];
  /** Opens an address and waits until all its data is shown. */
  open: (path: string) => Promise<void>;
}

/** The themes and screen sizes in which pages are checked. Together they cover both color schemes and both widths. */
export const LOOKS = [
  { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const satisfies readonly BrowserContextOptions[];

/**
 * Settings of an installation whose console is tested. They configure the model at this address, and raise rate limits, because a test opens pages
 * faster than people do.
 */
export const consoleEnv = (modelUrl: string) => ({
  ...{ MODEL_BASE_URL: modelUrl, MODEL_API_KEY: 'model-key', MODEL_NAME: 'fake' },
  RATE_LIMIT_MULTIPLIER: '10',
});

/** Signs the account in with a passkey. The result opens pages with that session. `at`: the heading of the first page. */
export async function signInToConsole(platform: Platform, browser: Browser, email: string, at = 'Dashboard') {
  const context = await browser.newContext();
  const first = await context.newPage();
  await addAuthenticator(first);
  const { token = '' } = await platform.operator('setup-token', 'create', '--email', email);
  await first.goto(`${platform.baseUrl}/admin/add-passkey?token=${token}`);
  await first.getByRole('button', { name: /create (a )?passkey/i }).click();
  await first.getByRole('button', { name: 'Sign in with passkey' }).click();
  await first.getByRole('heading', { level: 1, name: at }).waitFor();
  const all = (await context.storageState()).cookies;
  await context.close();
  // Pages share only the access token. A refresh token works once: the second page that used it would end the session of all pages.
  const cookies = all.filter(({ name }) => name === 'access_token');
  const openEmpty = createPages(browser, platform.baseUrl);

  return async (options: BrowserContextOptions = {}): Promise<ConsolePage> => {
    const page = await openEmpty(options);
    await page.context().addCookies(cookies);
    return watched(page, platform.baseUrl);
  };
}

function watched(page: Page, baseUrl: string): ConsolePage {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== baseUrl && protocol !== 'blob:') faults.push(`request to ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  async function open(path: string): Promise<void> {
    await page.goto(`${baseUrl}${path}`);
    if (!page.url().startsWith(`${baseUrl}${path}`)) throw new Error(`${path} leads to ${page.url()}`);
    await page.locator('main h1').waitFor();
    // Waits until the page shows all its data. Content of hidden tabs does not count, because it is loaded when the tab is opened.
    await page.locator('[aria-busy="true"]:not([style*="display: none"] *)').first().waitFor({ state: 'detached' });
  }
  return { page, faults, open };
}

/** Returns the targets of the links in the navigation. */
export async function navigationOf(page: Page): Promise<string[]> {
  const links = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
  await links.first().waitFor();
  return Promise.all((await links.all()).map(async (link) => (await link.getAttribute('href')) ?? ''));
}

/** A script that returns the accessible name of the focused element. It is a string, because this project's types have no `document`. */
const FOCUSED = `(({ activeElement: it }) =>
  it.getAttribute('aria-label') ?? it.labels?.[0]?.textContent ?? it.textContent)(document)`;

/** Simulates a user without a mouse. */
export function keyboardOf(page: Page) {
  return {
    press: async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (text: string) => page.keyboard.type(text),
    /** Presses Tab until the focused element has this name. */
    tabTo: async (name: RegExp) => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press('Tab');
        if (name.test(await page.evaluate<string>(FOCUSED))) return;
      }
      throw new Error(`Tab does not lead to ${String(name)}`);
    },
  };
}

/** Returns the faults that {@link seriousFaults} finds, and a further fault if the page is wider than the screen. */
export async function visibleFaults(page: Page): Promise<string[]> {
  const found = await seriousFaults(page);
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
  return isTooWide ? [...found, 'wider than the screen'] : found;
}

/**
 * Returns the faults of pages in each theme and screen size: missing content, {@link visibleFaults}, and the faults that {@link ConsolePage} records.
 */
export async function faultsOfPages(
  openPage: (look: BrowserContextOptions) => Promise<ConsolePage>,
  paths: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(
    LOOKS.map(async (look) => {
      const { page, faults, open } = await openPage(look);
      const seen: string[] = [];
      for (const path of paths) {
        await open(path);
        if ((await page.getByText(/[Nn]ot found$|could not be loaded|Service unavailable/).count()) > 0)
          seen.push(`${path}: not shown: ${await page.locator('main').innerText()}`);
        seen.push(...(await visibleFaults(page)).map((fault) => `${look.colorScheme} ${path}: ${fault}`));
      }
      return [...seen, ...faults];
    }),
  );
  return found.flat();
}
