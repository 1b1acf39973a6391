import { presetOf, PRESETS } from './scope-presets.js';

const ALL = [
  ...['skills', 'agents', 'mcp', 'prompts', 'conversations', 'users', 'files'].flatMap((name) => [
    `${name}:read`,
    `${name}:write`,
  ]),
  ...['agents:message', 'mcp:call', 'prompts:run', 'runs:read', 'runs:read_all', 'admin'],
];

const scopesOf = (value: string, all = ALL) => PRESETS.find((preset) => preset.value === value)?.scopesOf(all);

describe('PRESETS', () => {
  it('contain only scopes that the owner may grant', () => {
    expect(scopesOf('agents', ['agents:read', 'agents:message'])).toEqual(['agents:read', 'agents:message']);
  });

  it('include the preset "read", which contains only read scopes and does not contain users:read', () => {
    const read = scopesOf('read') ?? [];
    expect(read).toContain('skills:read');
    expect(read.filter((scope) => !scope.endsWith(':read'))).toEqual([]);
    expect(read).not.toContain('users:read');
  });
});

describe('presetOf', () => {
  it.each(PRESETS.map(({ value }) => value))('returns the preset %s for its scopes in any order', (value) => {
    expect(presetOf([...(scopesOf(value) ?? [])].reverse(), ALL)).toBe(value);
  });

  it.each([
    [['*'], 'all'],
    [[], 'some'],
    [['skills:write'], 'some'],
  ])('returns for the scopes %j the choice "%s"', (scopes, choice) => expect(presetOf(scopes, ALL)).toBe(choice));
});
