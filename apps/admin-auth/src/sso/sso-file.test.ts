import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@millwright/config';
import { loadSso } from './sso-file.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sso-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const env = { SECRET: 'a-secret' };
function load(text: string) {
  const file = join(folder, 'sso.yaml');
  writeFileSync(file, text);
  return loadSso(file, env);
}
function faultsOf(text: string): string[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map(({ variable, reason }) => `${variable}: ${reason}`);
    throw error;
  }
  return [];
}
const GOOD = 'name: okta, issuer: https://id.example.com, client_id: mw';

describe('SSO_FILE', () => {
  it('is optional', () => expect(loadSso(undefined, env)).toEqual([]));

  it('lists the issuers; omitted fields have restrictive defaults', () => {
    expect(load(`issuers: [{ ${GOOD}, client_secret_env: SECRET }]`)).toEqual([
      {
        ...{ name: 'okta', label: 'okta', url: 'https://id.example.com', clientId: 'mw', clientSecret: 'a-secret' },
        ...{ scopes: ['openid', 'email', 'profile'], domains: [], groups: undefined },
        ...{ linkByVerifiedEmail: false, createAccounts: false, ssoOnly: false, breakGlass: [], scim: undefined },
      },
    ]);
  });

  it.each([
    ['an https issuer with a path and a slash', 'https://id.example.com/realms/mill/'],
    ['an http issuer on this machine', 'http://localhost:9000'],
  ])('accepts %s and keeps every byte of the URL', (_case, url) => {
    expect(load(`issuers: [{ name: a, issuer: '${url}', client_id: mw }]`)).toMatchObject([{ url }]);
  });

  it.each<[string, string, string[]]>([
    ['text that is not YAML', 'issuers: [', ['is not valid YAML (line 1)']],
    ['an empty file', '', ['must have a list of issuers']],
    ['an unknown key', `issuers: [{ ${GOOD}, trust: all }]`, ['issuers[0] has unknown keys: trust']],
    [
      'a name with characters other than a-z, 0-9 and -',
      'issuers: [{ name: A/b, issuer: https://id.example.com, client_id: x }]',
      ['issuers[0].name must be a name of a-z, 0-9 and -'],
    ],
    [
      'a reserved name',
      'issuers: [{ name: confirm, issuer: https://id.example.com, client_id: x }]',
      ['issuers[0].name must be another name: this one is reserved'],
    ],
    ...[
      'http://id.example.com',
      'https://u:p@id.example.com',
      'https://id.example.com?x=1',
      'https://id.example.com/#x',
      'ftp://id.example.com',
      'id',
    ].map((url): [string, string, string[]] => [
      `the issuer ${url}`,
      `issuers: [{ name: a, issuer: '${url}', client_id: x }]`,
      ['issuers[0].issuer must be an https URL without query, user or password; http on this machine only'],
    ]),
    [
      'a secret in place of its variable',
      `issuers: [{ ${GOOD}, client_secret_env: hunter2 }]`,
      ['issuers[0].client_secret_env must be the name of an environment variable'],
    ],
    [
      'a variable that is not set',
      `issuers: [{ ${GOOD}, client_secret_env: MISSING }]`,
      ['issuers[0].client_secret_env: the environment variable MISSING is not set'],
    ],
    ['scopes without openid', `issuers: [{ ${GOOD}, scopes: [email] }]`, ['issuers[0].scopes must have openid']],
    [
      'linking without domains',
      `issuers: [{ ${GOOD}, link_by_verified_email: true }]`,
      ['issuers[0].domains is required where link_by_verified_email, create_accounts, sso_only or scim is set'],
    ],
    [
      'new accounts without domains',
      `issuers: [{ ${GOOD}, create_accounts: true }]`,
      ['issuers[0].domains is required where link_by_verified_email, create_accounts, sso_only or scim is set'],
    ],
    [
      'sso_only without domains and break-glass accounts',
      `issuers: [{ ${GOOD}, sso_only: true }]`,
      [
        'issuers[0].domains is required where link_by_verified_email, create_accounts, sso_only or scim is set',
        'issuers[0].break_glass must name an account where sso_only is true',
      ],
    ],
    [
      'a token in place of its hash',
      `issuers: [{ ${GOOD}, domains: [example.com], scim: { token_sha256: [hunter2], owner: a@example.com } }]`,
      ['issuers[0].scim.token_sha256[0] must be a SHA-256 of 64 digits'],
    ],
    [
      'break-glass accounts without a captured domain',
      `issuers: [{ ${GOOD}, break_glass: [a@example.com] }]`,
      ['issuers[0].break_glass is only for sso_only'],
    ],
    [
      'a project that does not exist',
      `issuers: [{ ${GOOD}, groups: { map: [{ group: x, role: user, project: core }] } }]`,
      ['issuers[0].groups.map[0].project must be Core or Commerce'],
    ],
    [
      'a group that makes platform admins',
      `issuers: [{ ${GOOD}, groups: { map: [{ group: x, role: platform_admin, project: Core }] } }]`,
      ['issuers[0].groups.map[0].role must be one of user, project_admin, auditor, admin'],
    ],
    [
      'two issuers with the same name and URL',
      `issuers: [{ ${GOOD} }, { ${GOOD} }]`,
      [
        'issuers[0].name is used twice',
        'issuers[0].issuer is used twice',
        'issuers[1].name is used twice',
        'issuers[1].issuer is used twice',
      ],
    ],
  ])('reports %s: the error lists all faults and contains no secret', (_case, text, reasons) => {
    expect(faultsOf(text)).toEqual(reasons.map((reason) => `SSO_FILE: ${reason}`));
    expect(faultsOf(text).join()).not.toContain('hunter2');
  });

  it('reports a file that cannot be read', () => {
    expect(() => loadSso(join(folder, 'missing.yaml'), env)).toThrow('names a file that cannot be read');
  });
});
