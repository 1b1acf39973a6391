import { IDENTITY_SCOPES } from './identity-scopes.js';
import { describeKeyScopes, KEY_SCOPES } from './key-scopes.js';
import { effectiveScopes, isGrantableScope, SCOPES } from './index.js';

const ADMIN = ['user', 'admin'] as const;
const USER = ['user'] as const;
const ADMIN_ONLY = ['users:read', 'users:write', 'runs:read_all', 'admin'];

describe('effectiveScopes', () => {
  it('expands * to all scopes of the owner', () => {
    expect([...effectiveScopes(['*'], ADMIN)].toSorted()).toEqual([...SCOPES].toSorted());
    expect([...effectiveScopes(['*'], USER)].toSorted()).toEqual(
      SCOPES.filter((scope) => !ADMIN_ONLY.includes(scope)).toSorted(),
    );
  });

  it('removes admin scopes from the list of a user', () => {
    const granted = ['skills:read', 'users:read', 'admin'];
    expect([...effectiveScopes(granted, ADMIN)]).toEqual(granted);
    expect([...effectiveScopes(granted, USER)]).toEqual(['skills:read']);
  });

  it('gives a project admin the scopes of a user, `admin` and `runs:read_all`, and never `users:*`', () => {
    const added = [...effectiveScopes(['*'], ['user', 'project_admin'])].filter(
      (scope) => !effectiveScopes(['*'], USER).has(scope),
    );
    expect(added).toEqual(['runs:read_all', 'admin']);
  });

  it('returns no scope for an auditor, whatever scopes were granted to the credential', () => {
    expect([...effectiveScopes(['*'], ['auditor'])]).toEqual([]);
    expect([...effectiveScopes([...SCOPES], ['auditor'])]).toEqual([]);
  });

  it('returns a scope of OpenID Connect only when it was granted by name, not for *, and never for an auditor', () => {
    for (const roles of [ADMIN, USER])
      expect([...effectiveScopes([...IDENTITY_SCOPES], roles)]).toEqual([...IDENTITY_SCOPES]);
    expect([...effectiveScopes([...IDENTITY_SCOPES], ['auditor'])]).toEqual([]);
    expect([...effectiveScopes(['*'], ADMIN)].filter((scope) => scope === 'openid')).toEqual([]);
  });

  it('returns keys:read and keys:write only when they were granted by name, not for * alone, and never for an auditor', () => {
    for (const roles of [ADMIN, USER]) {
      expect([...effectiveScopes([...KEY_SCOPES], roles)]).toEqual([...KEY_SCOPES]);
      expect([...effectiveScopes(['*'], roles)].filter((scope) => scope.startsWith('keys:'))).toEqual([]);
      expect(effectiveScopes(['*', 'keys:write'], roles)).toEqual(
        new Set([...effectiveScopes(['*'], roles), 'keys:write']),
      );
    }
    expect([...effectiveScopes(['*', ...KEY_SCOPES], ['auditor'])]).toEqual([]);
    expect(describeKeyScopes().map(({ scope }) => scope)).toEqual(KEY_SCOPES);
  });

  it('ignores texts that are not scopes', () => {
    expect([...effectiveScopes(['skills:*', 'nonsense', '__proto__', ''], ADMIN)]).toEqual([]);
    expect([...effectiveScopes([], ADMIN)]).toEqual([]);
  });

  it('adds no write scope to a read scope', () => {
    expect(effectiveScopes(['skills:read'], ADMIN).has('skills:write')).toBe(false);
  });
});

it('SCOPES has two scopes for each of twelve resources, and seven other scopes', () => {
  expect(new Set(SCOPES).size).toBe(31);
  expect(SCOPES).toEqual(
    expect.arrayContaining(['agents:message', 'mcp:call', 'prompts:run', 'admin', 'conversations:read', 'files:write']),
  );
});

it.each([...SCOPES, '*'])('isGrantableScope accepts %s', (scope) => expect(isGrantableScope(scope)).toBe(true));
it.each([
  '',
  'skills',
  'skills:*',
  'SKILLS:READ',
  'skills:read ',
  'skills:run',
  'constructor',
  '**',
  ...IDENTITY_SCOPES,
  ...KEY_SCOPES,
])('"%s" cannot be granted', (scope) => expect(isGrantableScope(scope)).toBe(false));
