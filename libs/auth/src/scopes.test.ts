import { effectiveScopes, isGrantableScope, SCOPES } from './index.js';

const ADMIN_ONLY = ['users:read', 'users:write', 'admin'];

describe('effectiveScopes', () => {
  it('of * are all that the owner may do', () => {
    expect([...effectiveScopes(['*'], true)].toSorted()).toEqual([...SCOPES].toSorted());
    expect([...effectiveScopes(['*'], false)].toSorted()).toEqual(
      SCOPES.filter((scope) => !ADMIN_ONLY.includes(scope)).toSorted(),
    );
  });

  it('of a named list are that list, less what only admins may', () => {
    const granted = ['skills:read', 'users:read', 'admin'];
    expect([...effectiveScopes(granted, true)]).toEqual(granted);
    expect([...effectiveScopes(granted, false)]).toEqual(['skills:read']);
  });

  it('never hold what is no scope', () => {
    expect([...effectiveScopes(['skills:*', 'nonsense', '__proto__', ''], true)]).toEqual([]);
    expect([...effectiveScopes([], true)]).toEqual([]);
  });

  it('do not let read write', () => {
    expect(effectiveScopes(['skills:read'], true).has('skills:write')).toBe(false);
  });
});

it('there are 28 scopes: two for each of twelve resources, and four more', () => {
  expect(new Set(SCOPES).size).toBe(28);
  expect(SCOPES).toEqual(
    expect.arrayContaining(['agents:message', 'mcp:call', 'prompts:run', 'admin', 'conversations:read', 'files:write']),
  );
});

it.each([...SCOPES, '*'])('%s can be granted', (scope) => expect(isGrantableScope(scope)).toBe(true));
it.each(['', 'skills', 'skills:*', 'SKILLS:READ', 'skills:read ', 'skills:run', 'constructor', '**'])(
  '"%s" cannot be granted',
  (scope) => expect(isGrantableScope(scope)).toBe(false),
);
