import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { effectiveScopes, SCOPES, type Role } from '@millwright/auth';
import { KEY_SCOPES } from '@millwright/auth/key-scopes';
import { createDatabase, type Database } from '@millwright/db';
import { linkDevice } from '../harness/bridge.js';
import { createBrowser, personAt, type Browser } from '../harness/browser.js';
import { newToken } from '../harness/calls.js';
import { startPlatform, type Platform } from '../harness/platform.js';

type ServiceName = 'admin' | 'platform' | 'runtime' | 'prompt';
type Account = 'user' | 'project_admin' | 'auditor' | 'admin' | 'platform_admin';

/** A row of the matrix: a path and method of a service, with the access that its OpenAPI document states. */
interface Operation {
  service: ServiceName;
  method: string;
  path: string;
  isPublic: boolean;
  /** Whether the endpoint accepts only the token of a provisioning client. */
  isProvisioning: boolean;
  scope?: string;
  /** Another scope that is sufficient instead of `scope`. */
  other?: string;
  /** Roles of which the account must have one. */
  roles?: readonly Role[];
  fresh: boolean;
}

/** A column of the matrix. */
interface Credential {
  name: string;
  headers: (service: ServiceName) => Record<string, string>;
  /** The services that accept this kind of credential. */
  accepted: readonly ServiceName[];
  scopes?: ReadonlySet<string>;
  /** Whether the credential is the token of a provisioning client. */
  isProvisioning?: boolean;
  /** Whether the credential is an API key. The runtime API accepts API keys, but ignores their scopes `users:…`. */
  isKey?: boolean;
  roles?: readonly Role[];
  fresh?: boolean;
}

type Verdict = 'admitted' | 'unauthorized' | 'forbidden' | 'step up';

interface Document {
  paths: Record<string, Record<string, Record<string, unknown>>>;
}

const SCIM_TOKEN = 'token-of-a-provisioning-client-0123456789';
/** An issuer for single sign-on. Its provisioning client acts for an admin that this test creates. */
const SSO = `issuers:
  - name: directory
    issuer: https://directory.invalid
    client_id: millwright
    domains: [directory.example]
    scim:
      token_sha256: ['${createHash('sha256').update(SCIM_TOKEN).digest('hex')}']
      owner: keys@example.com
`;

const SERVICES: readonly ServiceName[] = ['admin', 'platform', 'runtime', 'prompt'];
const APIS: readonly ServiceName[] = ['platform', 'runtime', 'prompt'];

const operations: Operation[] = SERVICES.flatMap((service) => {
  const file = new URL(`../../docs/openapi/${service}.json`, import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, stated]): Operation => {
      const scope = stated['x-required-scope'] as string | undefined;
      const other = stated['x-alternative-scope'] as string | undefined;
      const roles = stated['x-required-role'] as Role | Role[] | undefined;
      return {
        service,
        method: method.toUpperCase(),
        path,
        isPublic: (stated['security'] as unknown[]).length === 0,
        isProvisioning: (stated['security'] as object[]).some((scheme) => 'provisioning' in scheme),
        ...(scope !== undefined && { scope }),
        ...(other !== undefined && { other }),
        ...(roles !== undefined && { roles: [roles].flat() }),
        fresh: stated['x-requires-fresh-proof'] === true,
      };
    }),
  );
});

const refusalAt = (service: ServiceName, credential: Credential): Verdict =>
  service === 'prompt' && 'api-key' in credential.headers('prompt') ? 'forbidden' : 'unauthorized';

/**
 * Returns the answer that the OpenAPI document promises for a request with this credential. A credential that the service does not accept is answered
 * with 401, or with 403 when it is sent in the header `api-key` of the prompt API.
 */
function expectedVerdict(operation: Operation, credential: Credential): Verdict {
  const { service, isPublic, isProvisioning, scope, other, roles, fresh } = operation;
  if (isPublic) return 'admitted';
  if (isProvisioning || credential.isProvisioning === true)
    return isProvisioning && credential.isProvisioning === true ? 'admitted' : refusalAt(service, credential);
  if (!credential.accepted.includes(service)) return refusalAt(service, credential);
  const isWithheld = credential.isKey === true && service === 'runtime' && scope?.startsWith('users:') === true;
  const hasScope = [scope, other].some((one) => one !== undefined && credential.scopes?.has(one));
  if (scope !== undefined && (isWithheld || !hasScope)) return 'forbidden';
  if (roles !== undefined && !roles.some((role) => credential.roles?.includes(role))) return 'forbidden';
  return fresh && credential.fresh !== true ? 'step up' : 'admitted';
}

function verdictOf(status: number, text: string): Verdict {
  if (status === 401) return 'unauthorized';
  if (status !== 403) return 'admitted';
  return text.includes('step_up_required') ? 'step up' : 'forbidden';
}

let platform: Platform;
let folder: string;
let db: Database;
let credentials: Credential[];
const agent = new Agent({ keepAlive: true });

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function signedIn(email: string, role: Account): Promise<Browser> {
  const person = personAt(createBrowser([platform.baseUrl], platform.baseUrl), platform.baseUrl);
  if (role === 'user' || role === 'admin') await person.arrive(email, role);
  else {
    const given = role === 'platform_admin' ? ['admin', '--platform-admin'] : [role];
    await platform.operator('users', 'create', '--email', email, '--name', email, '--role', ...given);
    const { token } = await platform.operator('setup-token', 'create', '--email', email);
    await person.enrol(token);
    await person.signIn();
    await person.stepUp();
  }
  return person.browser;
}

const ROLES: Record<Account, readonly Role[]> = {
  user: ['user'],
  project_admin: ['user', 'project_admin'],
  auditor: ['auditor'],
  admin: ['user', 'admin'],
  platform_admin: ['user', 'admin', 'platform_admin'],
};

/**
 * Signs in users of each role.
 *
 * @returns their sessions, with and without a recent passkey proof. Each session has a different user, because a new session ends the user's other
 * sessions.
 */
async function sessions(): Promise<Credential[]> {
  const columns: Credential[] = [];
  for (const role of Object.keys(ROLES) as Account[])
    for (const fresh of [true, false]) {
      const email = `${role}-${String(fresh)}@example.com`;
      const browser = await signedIn(email, role);
      if (!fresh)
        await db.prisma.userSession.updateMany({
          where: { user: { email } },
          data: { proven_at: new Date(Date.now() - 86_400_000) },
        });
      columns.push({
        name: `session of ${role}, ${fresh ? 'recent' : 'old'} proof`,
        headers: () => browser.headers(),
        accepted: ['admin'],
        roles: ROLES[role],
        fresh,
      });
    }
  return columns;
}

const inHeader = (text: string) => (service: ServiceName) =>
  service === 'prompt' ? { 'api-key': text } : bearer(text);

/** Owners of keys and tokens. The auditor's keys and tokens were made while the account still had the role user. */
const OWNERS = ['user', 'project_admin', 'auditor', 'admin'] as const;
type Owner = (typeof OWNERS)[number];

/** The credentials that are made of each kind, by owner and scopes: `*`, every reading scope, and every other scope. */
const HOLDINGS: readonly { owner: Owner; scopes: readonly string[]; name: string }[] = [
  { owner: 'admin', scopes: ['*'], name: "an admin's, every scope" },
  { owner: 'admin', scopes: SCOPES.filter((scope) => scope.endsWith(':read')), name: "an admin's, read scopes" },
  { owner: 'admin', scopes: SCOPES.filter((scope) => !scope.endsWith(':read')), name: "an admin's, other scopes" },
  { owner: 'user', scopes: ['*'], name: "a user's, every scope" },
  { owner: 'project_admin', scopes: ['*'], name: "a project admin's, every scope" },
  { owner: 'auditor', scopes: ['*'], name: "an auditor's, every scope" },
];
/** Scopes that `*` does not contain, and that no client can have. */
const KEY_HOLDING = { owner: 'user', scopes: KEY_SCOPES, name: "a user's, scopes of keys" } as const;
type Owners = Record<Owner, Browser>;

async function keys(owners: Owners): Promise<Credential[]> {
  const newKey = (owner: keyof Owners, body: object) =>
    owners[owner].get<{ key: string; id: string }>('/admin/api/keys', { body }, 201);
  const columns: Credential[] = [];
  for (const { owner, scopes, name } of [...HOLDINGS, KEY_HOLDING]) {
    const { key } = await newKey(owner, { name, scopes });
    const held = effectiveScopes(scopes, ROLES[owner]);
    columns.push({ name: `key: ${name}`, headers: inHeader(key), accepted: APIS, scopes: held, isKey: true });
  }
  const [revoked, expired] = [await newKey('admin', { name: 'Revoked' }), await newKey('admin', { name: 'Expired' })];
  await owners.admin.get(`/admin/api/keys/${revoked.id}`, { method: 'DELETE' }, 204);
  const expires_at = new Date(Date.now() - 1_000);
  await db.prisma.userApiKey.updateMany({ where: { name: 'Expired' }, data: { expires_at } });
  return [
    ...columns,
    { name: 'revoked key', headers: inHeader(revoked.key), accepted: [] },
    { name: 'expired key', headers: inHeader(expired.key), accepted: [] },
  ];
}

type Client = Record<'client_id' | 'client_secret', string>;

async function tokens(owners: Owners): Promise<Credential[]> {
  const newClient = (owner: keyof Owners, scopes: readonly string[]) =>
    owners[owner].get<Client>('/admin/api/clients', { body: { name: 'App', redirect_uris: [], scopes } }, 201);
  const columns: Credential[] = [];
  for (const { owner, scopes, name } of HOLDINGS) {
    const token = await newToken(platform, await newClient(owner, scopes));
    const held = effectiveScopes(scopes, ROLES[owner]);
    columns.push({ name: `token: ${name}`, headers: inHeader(token), accepted: ['runtime'], scopes: held });
  }
  const ended = await newClient('admin', ['*']);
  const token = await newToken(platform, ended);
  await owners.admin.get(`/admin/api/clients/${ended.client_id}`, { method: 'DELETE' }, 204);
  return [...columns, { name: 'token of a deleted client', headers: inHeader(token), accepted: [] }];
}

async function gatewayToken(owners: Owners, owner: keyof Owners): Promise<Credential> {
  return {
    name: `gateway token of ${owner}`,
    headers: inHeader(await linkDevice(owners[owner])),
    accepted: ['platform', 'runtime', 'prompt'],
    scopes: effectiveScopes(['*'], ROLES[owner]),
  };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-privileges-'));
  const SSO_FILE = join(folder, 'sso.yaml');
  writeFileSync(SSO_FILE, SSO);
  platform = await startPlatform({ env: { RATE_LIMIT_MULTIPLIER: '100000', PROJECTS_OPEN: 'true', SSO_FILE } });
  db = createDatabase({ url: platform.databaseUrl, poolMax: 2 });
  const owners = {
    admin: await signedIn('keys@example.com', 'admin'),
    user: await signedIn('member@example.com', 'user'),
    project_admin: await signedIn('lead@example.com', 'project_admin'),
    auditor: await signedIn('former@example.com', 'user'),
  };
  credentials = [
    { name: 'none', headers: () => ({}), accepted: [] },
    { name: 'unknown key', headers: inHeader(`mw_${'a'.repeat(40)}`), accepted: [] },
    ...(await sessions()),
    {
      ...{ name: 'token of a provisioning client', headers: inHeader(SCIM_TOKEN), accepted: [] },
      isProvisioning: true,
    },
    ...(await keys(owners)),
    ...(await tokens(owners)),
    ...(await Promise.all(OWNERS.map((owner) => gatewayToken(owners, owner)))),
  ];
  await platform.operator('users', 'set-role', 'former@example.com', 'auditor');
});
afterAll(async () => {
  agent.destroy();
  await db.close();
  await platform.stop();
  rmSync(folder, { recursive: true });
});

const UNKNOWN_UUID = '018f0000-0000-7000-8000-000000000000';

/**
 * Columns whose requests go through the gateway: one column of each kind. Requests of the other columns go directly to the services, because
 * that needs half the CPU time.
 */
const THROUGH_GATEWAY: ReadonlySet<string> = new Set([
  'none',
  'session of platform_admin, recent proof',
  "key: an admin's, every scope",
  "token: an admin's, every scope",
  'gateway token of admin',
]);

const PROCESSES = {
  admin: 'admin-auth',
  platform: 'platform-api',
  runtime: 'runtime-api',
  prompt: 'prompt-api',
} as const satisfies Record<ServiceName, string>;

function serviceOrigin(service: ServiceName, { name }: Credential): string {
  if (!THROUGH_GATEWAY.has(name)) return platform.of(PROCESSES[service])[0]?.url ?? '';
  return {
    admin: platform.baseUrl,
    platform: platform.baseUrl,
    runtime: platform.runtimeUrl,
    prompt: platform.promptUrl,
  }[service];
}

/** Invalid JSON, so that admitted requests change nothing. Access is decided before the body is read. */
const BODY = '{"';

async function verdict({ service, method, path }: Operation, credential: Credential): Promise<Verdict> {
  const isRead = method === 'GET';
  const url = `${serviceOrigin(service, credential)}${path.replaceAll(/\{\w+\}/g, UNKNOWN_UUID)}`;
  // Uses Node's `request`, because `fetch` takes three times the CPU time for these thousands of requests.
  const sent = request(url, {
    method,
    agent,
    headers: {
      accept: '*/*',
      ...(!isRead && { 'content-type': 'application/json', 'content-length': BODY.length }),
      ...credential.headers(service),
    },
  });
  sent.end(isRead ? undefined : BODY);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return verdictOf(answer.statusCode ?? 0, await text(answer));
}

describe('every kind of credential at every endpoint', () => {
  it.each(SERVICES)('is admitted or refused as the OpenAPI document states: %s', async (service) => {
    const differences: string[] = [];
    let cells = 0;
    for (const credential of credentials)
      for (const operation of operations.filter((row) => row.service === service)) {
        const [expected, found] = [expectedVerdict(operation, credential), await verdict(operation, credential)];
        cells += 1;
        if (found !== expected)
          differences.push(`${credential.name}: ${operation.method} ${operation.path}: ${found}, not ${expected}`);
      }
    process.stdout.write(`${service}: ${cells} cells of the privilege matrix, ${differences.length} differences\n`);
    expect(differences).toEqual([]);
  });
});
