import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** The package without a user interface comes first, because it is smaller. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
const BROWSERS = [...PACKAGES.map((name) => `/usr/bin/${name}`), '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page of a test is open for about a second, so optimizing its code costs more than it saves.
  '--js-flags=--no-opt --no-maglev',
];

/**
 * The path of an installed Chromium. When none is installed and the process runs as root, Debian's package is
 * installed.
 */
function chromiumPath(): string {
  const installed = () => BROWSERS.find((path) => existsSync(path));
  if (!installed() && process.getuid?.() === 0) {
    const apt = 'DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300';
    const install = PACKAGES.map((name) => `${apt} install -y --no-install-recommends ${name}`).join(' || ');
    execFileSync('sh', ['-c', `${apt} update && { ${install}; }`], { stdio: 'ignore' });
  }
  const path = installed();
  if (path === undefined) throw new Error('This test needs a browser: install the package chromium.');
  return path;
}

/** The viewport that Playwright uses by default. */
const DEFAULT_VIEWPORT = { width: 1280, height: 720 };

/** Milliseconds that a step in a page may take on a busy machine. */
const STEP_MS = 90_000;

/**
 * Starts a browser whose pages wait for 90 s instead of 30 s, and by default show no animations, because each frame is
 * painted on the CPU.
 */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: chromiumPath(), args: FLAGS });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(STEP_MS);
    return context;
  };
  return browser;
}

/** Events of a page for which a test may add listeners. */
const LISTENERS = ['pageerror', 'console', 'request', 'response', 'dialog', 'popup', 'download'] as const;

/**
 * Returns a function that opens empty pages, each as in a new browser without cookies. A page of an earlier test is used again, because the
 * browser already has the compiled scripts of the site. A page that left the site or was closed is not used again. Do not use it for tests
 * that change their page by `addInitScript`, `exposeFunction` or an authenticator, because these changes would stay.
 */
export function createPages(browser: Browser, siteUrl: string) {
  const kept: { page: Page; options: string; test: string | undefined }[] = [];

  async function emptied(page: Page, { colorScheme, viewport }: BrowserContextOptions): Promise<void> {
    for (const name of LISTENERS) page.removeAllListeners(name);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    await page.goto('about:blank');
    await page.context().clearCookies();
    await page.emulateMedia({ colorScheme: colorScheme ?? null });
    await page.setViewportSize(viewport ?? DEFAULT_VIEWPORT);
  }

  return async (options: BrowserContextOptions = {}): Promise<Page> => {
    const test = expect.getState().currentTestName;
    const wanted = JSON.stringify(options);
    const free = kept.find((one) => one.options === wanted && one.test !== test && isAt(one.page, siteUrl));
    if (free) {
      free.test = test;
      await emptied(free.page, options);
      return free.page;
    }
    const page = await (await browser.newContext(options)).newPage();
    // A page that was opened in `beforeAll` belongs to all tests, so no other test uses it again.
    if (test !== undefined) kept.push({ page, options: wanted, test });
    return page;
  };
}

const isAt = (page: Page, siteUrl: string) => !page.isClosed() && new URL(page.url()).origin === siteUrl;

export interface Authenticator {
  /** Returns the ids of the authenticator's passkeys. */
  passkeys: () => Promise<string[]>;
  remove: () => Promise<void>;
  /**
   * Makes the authenticator sign with wrong keys, which do not belong to its passkeys.
   * @returns a function that restores the right keys
   */
  forge: () => Promise<() => Promise<void>>;
}

/** A script as a text, because the projects that import this file have no type `PublicKeyCredential`. */
const WITHOUT_AUTOFILL = `
  if ('PublicKeyCredential' in globalThis)
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
`;

/**
 * Gives the page an authenticator that stores passkeys and confirms by itself. With `autofill`, pages that are loaded
 * from now on can suggest passkeys in a field, and the authenticator accepts the suggestion at an arbitrary moment.
 */
export async function addAuthenticator(page: Page, { autofill = false } = {}): Promise<Authenticator> {
  if (!autofill) await page.addInitScript(WITHOUT_AUTOFILL);
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Metadata of axe's rules: a rule determines how serious its violations are. */
interface AxeRules {
  _audit: { rules: readonly { id: string; impact: string }[] };
}

/** Returns the accessibility faults of a page that axe rates as serious or critical. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // The document keeps the script of axe, so that later checks of the same document only run it.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') & AxeRules };
    const isSerious = ({ impact }: { impact?: string | null }) => impact === 'serious' || impact === 'critical';
    const others = axe._audit.rules.filter((rule) => !isSerious(rule));
    const { violations } = await axe.run({
      rules: Object.fromEntries(others.map(({ id }) => [id, { enabled: false }])),
      resultTypes: ['violations'],
      selectors: false,
    });
    return violations
      .filter(isSerious)
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, 200)}`));
  });
}
