import { listen, type ListeningApp } from '@millwright/testing';
import { addAuthenticator } from '@millwright/testing/chromium';
import type { Browser, Page } from 'playwright-core';
import type { Platform } from './platform.js';

/** Somebody at a browser, with a passkey for an account of the platform. */
export interface Person {
  page: Page;
  /** Where applications are told the answer. */
  redirectUri: string;
  /** Follows a program's link, signs in and decides where asked, and comes back with what the program is told, at `redirectUri` or there. */
  follow: (link: URL, decision?: 'Allow' | 'Approve' | 'Deny', backAt?: string) => Promise<URL>;
  /** How often the person was asked. */
  asked: () => number;
  leave: () => Promise<void>;
}

/** Enrols the account's first passkey in a browser, as its owner would. */
export async function newPerson(platform: Platform, browser: Browser, email: string): Promise<Person> {
  const application = await listen((_request, response) => response.end('Back in the application.'));
  const redirectUri = `${application.url}/callback`;
  const page = await (await browser.newContext()).newPage();
  await addAuthenticator(page);
  const { token = '' } = await platform.operator('setup-token', 'create', '--email', email);
  await page.goto(`${platform.baseUrl}/admin/add-passkey?token=${token}`);
  await page.getByRole('button', { name: /create (a )?passkey/i }).click();
  await page.waitForURL((url) => !url.pathname.endsWith('/add-passkey'));
  let asked = 0;

  async function follow(link: URL, decision = 'Allow', backAt = redirectUri): Promise<URL> {
    await goTo(page, link.href);
    const isBack = (url: URL) => url.href.startsWith(backAt);
    const signIn = page.getByRole('button', { name: /sign in with (a )?passkey/i });
    const decide = page.getByRole('button', { name: decision, exact: true });
    while (!isBack(new URL(page.url()))) {
      const step = await Promise.any([
        page.waitForURL(isBack).then(() => 'back'),
        signIn
          .and(page.locator(':enabled'))
          .waitFor()
          .then(() => 'sign in'),
        decide
          .and(page.locator(':enabled'))
          .waitFor()
          .then(() => 'decide'),
      ]);
      // The virtual authenticator may have signed in by itself meanwhile.
      if (step === 'sign in') await signIn.click({ timeout: 1_000 }).catch(() => undefined);
      if (
        step === 'decide' &&
        (await decide.click({ timeout: 1_000 }).then(
          () => true,
          () => false,
        ))
      )
        asked += 1;
    }
    return new URL(page.url());
  }

  return { page, redirectUri, follow, asked: () => asked, leave: () => closeAll(page, application) };
}

async function closeAll(page: Page, application: ListeningApp): Promise<void> {
  await page.context().close();
  await application.close();
}

/** The virtual authenticator signs in by itself at some moment, and where that leads may be on its way. */
async function goTo(page: Page, address: string): Promise<void> {
  for (;;) {
    const interrupted = await page.goto(address).then(
      () => false,
      (error: unknown) => {
        if (/interrupted by another navigation/.test(String(error))) return true;
        throw error;
      },
    );
    if (!interrupted) return;
  }
}
