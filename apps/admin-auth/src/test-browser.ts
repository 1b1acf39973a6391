import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from 'playwright-core';
import { loadConsole, type ConsoleFiles } from './pages/console-files.js';

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A Chromium that is installed, or Debian's, which root installs here. */
function chromiumPath(): string {
  const installed = () => BROWSERS.find((path) => existsSync(path));
  if (!installed() && process.getuid?.() === 0) {
    const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300';
    execFileSync('sh', ['-c', `${apt} update && ${apt} install -y --no-install-recommends chromium`], {
      stdio: 'ignore',
    });
  }
  const path = installed();
  if (path === undefined) throw new Error('This test needs a browser: install the package chromium.');
  return path;
}

export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath: chromiumPath(), args: FLAGS });

/** The console, built from its sources of this moment. */
export async function buildFrontend(): Promise<ConsoleFiles> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-frontend-'));
  try {
    const vite = join(process.cwd(), '../../node_modules/vite/bin/vite.js');
    const build = [vite, 'build', '--mode', 'test', '--logLevel', 'error', '--outDir', folder];
    // With Jest's NODE_ENV it would take React's development build.
    execFileSync('env', ['NODE_ENV=production', process.execPath, ...build], {
      cwd: join(process.cwd(), '../console'),
    });
    return await loadConsole(pathToFileURL(`${folder}/`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe calls serious or critical. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await run.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, 200)}`));
  });
}

/** Texts that break pages which take them for more than texts. */
export const HOSTILE_NAMES = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "';alert(1);//${alert(1)}{{constructor.constructor('alert(1)')()}}",
  'javascript:alert(1)',
  '\u202Egnp.exe\u202C \u2066\u2067مدير',
  'W'.repeat(200),
];

export interface Authenticator {
  /** The ids of the passkeys that it holds. */
  passkeys: () => Promise<string[]>;
  remove: () => Promise<void>;
  /** Makes it sign with other keys than the passkeys' own. Gives what undoes that. */
  forge: () => Promise<() => Promise<void>>;
}

/** Gives the page an authenticator that holds passkeys and confirms by itself. */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const authenticator = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async passkeys() {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', authenticator);
      return credentials.map(({ credentialId }) => Buffer.from(credentialId, 'base64').toString('base64url'));
    },
    async forge() {
      const { credentials } = await cdp.send('WebAuthn.getCredentials', authenticator);
      const hold = async (changed: Partial<(typeof credentials)[number]>) => {
        await cdp.send('WebAuthn.clearCredentials', authenticator);
        for (const credential of credentials) {
          await cdp.send('WebAuthn.addCredential', { ...authenticator, credential: { ...credential, ...changed } });
        }
      };
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      await hold({ privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64') });
      return () => hold({});
    },
    async remove() {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', authenticator);
    },
  };
}

/** Signs in where the page asks for a passkey. With one at hand, Chromium's virtual authenticator answers the autofill by itself. */
export async function signInTo(page: Page, arrived: Locator): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in with passkey' });
  const isThere = arrived.waitFor({ timeout: 10_000 }).then(() => true);
  if (await isThere.catch(() => false)) return;
  await button.click();
  await arrived.waitFor();
}

/** A browser without passkeys in the email field. */
export const withoutAutofill = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });

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
