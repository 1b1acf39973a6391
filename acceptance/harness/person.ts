import { listen, type ListeningApp } from '@millwright/testing';
import { addAuthenticator } from '@millwright/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import type { Platform } from './platform.js';

/** A user at a browser, with a passkey for an account of the installation. */
export interface Person {
  page: Page;
  /** The redirect URI of applications. */
  redirectUri: string;
  /** Follows a program's link, and signs in and consents where required. @returns the URL at which the browser arrives, which begins with `backAt` */
  follow: (link: URL, decision?: 'Allow' | 'Approve' | 'Deny', backAt?: string) => Promise<URL>;
  /** Returns the number of consent pages that the browser has shown. */
  asked: () => number;
  leave: () => Promise<void>;
}

/** Enrols the account's first passkey in a browser, as its owner does. */
export async function newPerson(platform: Platform, browser: Browser, email: string): Promise<Person> {
  const application = await listen((_request, response) => response.end('Back in the application.'));
  const redirectUri = `${application.url}/callback`;
  // Animations are on in this browser, as in the browsers of most people. Other tests turn animations off.
  const page = await (await browser.newContext({ reducedMotion: 'no-preference' })).newPage();
  await addAuthenticator(page);
  const { token = '' } = await platform.operator('setup-token', 'create', '--email', email);
  await page.goto(`${platform.baseUrl}/admin/add-passkey?token=${token}`);
  await page.getByRole('button', { name: /create (a )?passkey/i }).click();
  const signIn = page.getByRole('button', { name: 'Sign in with passkey' }).and(page.locator(':enabled'));
  await signIn.waitFor();
  let asked = 0;

  async function follow(link: URL, decision = 'Allow', backAt = redirectUri): Promise<URL> {
    // A page may redirect before it has loaded.
    await page.goto(link.href, { waitUntil: 'commit' });
    const isBack = (url: URL) => url.href.startsWith(backAt);
    const decide = page.getByRole('button', { name: decision, exact: true }).and(page.locator(':enabled'));
    while (!isBack(new URL(page.url()))) {
      const step = await Promise.any([
        page.waitForURL(isBack).then(() => undefined),
        signIn.waitFor().then(() => signIn),
        decide.waitFor().then(() => decide),
      ]).catch(async (error: unknown) => {
        throw new Error(`${page.url()} shows: ${await page.locator('body').innerText()}`, { cause: error });
      });
      if (step === decide && decision !== 'Deny')
        for (const right of await page.getByRole('checkbox').all()) await right.check();
      await step?.click();
      await step?.waitFor({ state: 'detached' });
      if (step === decide) asked += 1;
    }
    return new URL(page.url());
  }

  return { page, redirectUri, follow, asked: () => asked, leave: () => closeAll(page, application) };
}

async function closeAll(page: Page, application: ListeningApp): Promise<void> {
  await page.context().close();
  await application.close();
}
