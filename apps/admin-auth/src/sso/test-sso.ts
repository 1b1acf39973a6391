import { createEgress } from '@millwright/egress';
import { createTestDatabase } from '@millwright/testing';
import { startConsole, type TestConsole, type TestConsoleOptions } from '../test-console.js';
import type { SsoIssuer } from './sso-file.js';
import { createSurfer, startIssuer, type Surfer, type TestIssuer } from './test-issuer.js';

export interface TestSso {
  site: TestConsole;
  issuers: Record<string, TestIssuer>;
  issuer: (name: string) => TestIssuer;
  /** Signs the account in at the issuer, and follows the browser's redirects to the last page. */
  signIn: (name: string, surfer?: Surfer) => ReturnType<Surfer['visit']>;
  /** Signs in up to the redirect to the console. @returns the address of this redirect, which is not opened yet */
  callback: (name: string, surfer: Surfer) => Promise<string>;
  /** Reads the signed-in user; the status of the answer shows whether the browser is signed in. */
  me: (surfer: Surfer) => Promise<{ status: number; body: unknown }>;
  close: () => Promise<void>;
}

/** A console with real issuers on loopback, one for each entry. */
export async function startSso(
  entries: Record<string, Partial<SsoIssuer>>,
  options: TestConsoleOptions = {},
): Promise<TestSso> {
  const database = await createTestDatabase();
  const issuers: Record<string, TestIssuer> = {};
  for (const name of Object.keys(entries)) issuers[name] = await startIssuer(name);
  const egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
  const listed = Object.entries(issuers).map(([name, issuer]) => issuer.entry(entries[name]));
  const site = await startConsole(database.url, { ...options, sso: { issuers: listed, fetch: egress.fetch } });
  for (const issuer of Object.values(issuers)) issuer.start(site.url);
  const begin = (name: string) => `${site.url}/admin/sso/${name}?redirect=${encodeURIComponent('/admin/profile')}`;
  return {
    site,
    issuers,
    issuer(name) {
      const found = issuers[name];
      if (!found) throw new Error(`no issuer ${name}`);
      return found;
    },
    signIn: (name, surfer = createSurfer()) => surfer.visit(begin(name)),
    callback: async (name, surfer) => (await surfer.visit(begin(name), `/admin/sso/${name}/callback`)).url,
    async me(surfer) {
      const { answer } = await surfer.visit(`${site.url}/admin/api/me`);
      return { status: answer.status, body: answer.body };
    },
    close: async () => {
      await site.close();
      for (const issuer of Object.values(issuers)) await issuer.close();
      await egress.close();
      await database.drop();
    },
  };
}
