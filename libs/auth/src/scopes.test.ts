import { effectiveScopes, isGrantableScope, SCOPES } from './index.js';

const ADMIN_ONLY = ['users:read', 'users:write', 'admin'];

describe('effectiveScopes', () => {
  it('expands * to all scopes of the owner', () => {
    expect([...effectiveScopes(['*'], true)].toSorted()).toEqual([...SCOPES].toSorted());
    expect([...effectiveScopes(['*'], false)].toSorted()).toEqual(
      SCOPES.filter((scope) => !ADMIN_ONLY.includes(scope)).toSorted(),
    );
  });

  it('removes admin scopes from the list of a user', () => {
    const granted = ['skills:read', 'users:read', 'admin'];
    expect([...effectiveScopes(granted, true)]).toEqual(granted);
    expect([...effectiveScopes(granted, false)]).toEqual(['skills:read']);
  });

  it('drops unknown texts', () => {
    expect([...effectiveScopes(['skills:*', 'nonsense', '__proto__', ''], true)]).toEqual([]);
    expect([...effectiveScopes([], true)]).toEqual([]);
  });

  it('adds no write scope to a read scope', () => {
    expect(effectiveScopes(['skills:read'], true).has('skills:write')).toBe(false);
  });
});

it('SCOPES has two scopes for each of twelve resources, and four more', () => {
  expect(new Set(SCOPES).size).toBe(28);
  expect(SCOPES).toEqual(
    expect.arrayContaining(['agents:message', 'mcp:call', 'prompts:run', 'admin', 'conversations:read', 'files:write']),
  );
});

it.each([...SCOPES, '*'])('isGrantableScope accepts %s', (scope) => expect(isGrantableScope(scope)).toBe(true));
it.each(['', 'skills', 'skills:*', 'SKILLS:READ', 'skills:read ', 'skills:run', 'constructor', '**'])(
  '"%s" cannot be granted',
  (scope) => expect(isGrantableScope(scope)).toBe(false),
);
