import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { loadAssets, type Assets } from './pages/assets.js';

export { addAuthenticator, launchChromium, type Authenticator } from '@millwright/testing/chromium';

/** The pages' scripts and the console, built from their sources of this moment. */
export async function buildFrontend(): Promise<Assets> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-frontend-'));
  try {
    const tool = pathToFileURL(join(process.cwd(), '../../tools/page-scripts.mjs')).href;
    const script = `import { buildPageScripts } from ${JSON.stringify(tool)}; await buildPageScripts('.', ${JSON.stringify(folder)});`;
    execFileSync(process.execPath, ['--input-type=module', '-e', script]);
    const vite = join(process.cwd(), '../../node_modules/vite/bin/vite.js');
    const build = [vite, 'build', '--logLevel', 'error', '--outDir', join(folder, 'console')];
    // With Jest's NODE_ENV it would take React's development build.
    execFileSync('env', ['NODE_ENV=production', process.execPath, ...build], {
      cwd: join(process.cwd(), '../console'),
    });
    return await loadAssets(pathToFileURL(`${folder}/`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A browser of its own, and all that goes wrong in it: script errors, what the policy refuses, requests to elsewhere, dialogs. */
export async function openBrowser(
  browser: Browser,
  siteUrl: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; page: Page; faults: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
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
  return { context, page, faults };
}
