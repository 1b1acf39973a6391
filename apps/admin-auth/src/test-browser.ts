import { execFileSync } from 'node:child_process';
import { areAppsBuilt } from '@millwright/testing';
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { loadConsole, type ConsoleFiles } from './pages/console-files.js';

export {
  addAuthenticator,
  createPages,
  launchChromium,
  seriousFaults,
  type Authenticator,
} from '@millwright/testing/chromium';

const root = new URL('../../../', import.meta.url);

/** Builds the console from its current sources, unless `npm test` has done so. */
export async function buildFrontend(): Promise<ConsoleFiles> {
  // Does not run Nx after a build, because Nx would restore its cached build over files that another test may be reading.
  if (!areAppsBuilt()) {
    // NODE_ENV is set, because Jest's value would select React's development build.
    execFileSync('env', ['NODE_ENV=production', process.execPath, 'tools/run.mjs', 'nx', 'run', 'console:build'], {
      cwd: root,
      stdio: 'pipe',
    });
  }
  return await loadConsole(new URL('apps/console/dist/', root));
}

/** Texts that break a page which does not escape them. */
export const HOSTILE_NAMES = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "';alert(1);//${alert(1)}{{constructor.constructor('alert(1)')()}}",
  'javascript:alert(1)',
  '\u202Egnp.exe\u202C \u2066\u2067مدير',
  'W'.repeat(200),
];

/** Signs in on a page that requires a passkey. */
export async function signInTo(page: Page, arrived: Locator): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with passkey' }).click();
  await arrived.waitFor();
}

/** A page and the faults that were recorded in it. */
export interface WatchedPage {
  context: BrowserContext;
  page: Page;
  faults: string[];
}

/** Opens a page in a separate browser, with {@link watch}. */
export async function openBrowser(
  browser: Browser,
  siteUrl: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  return watch(await (await browser.newContext(options)).newPage(), siteUrl);
}

/** Records faults: script errors, policy violations, requests to other origins, dialogs. */
export function watch(page: Page, siteUrl: string): WatchedPage {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== siteUrl) faults.push(`request to ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { context: page.context(), page, faults };
}
