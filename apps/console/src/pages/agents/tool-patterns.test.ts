import {
  builtInOf,
  countAllowed,
  hasBuiltIn,
  hasServer,
  hasTool,
  patternsBeyond,
  withBuiltIn,
  withServer,
  withTool,
} from './tool-patterns.js';

const mill = { slug: 'mill', name: 'Mill', tools: ['weigh', 'grind', 'sell'] };
const post = { slug: 'post', name: 'Post', tools: ['send'] };
const servers = [mill, post];

describe('withTool', () => {
  it.each([
    [[], 'weigh', true, ['mill/weigh']],
    [['mill/weigh'], 'weigh', false, []],
    [['mill/*'], 'weigh', true, ['mill/*']],
    [['mill/*'], 'weigh', false, ['mill/grind', 'mill/sell']],
    [['*'], 'weigh', false, ['post/*', 'mill/grind', 'mill/sell']],
    [['post/send', 'mill/*', 'mill/grind'], 'weigh', false, ['post/send', 'mill/grind', 'mill/sell']],
    [['other/x'], 'sell', true, ['other/x', 'mill/sell']],
  ])(
    'changes the patterns %j when the checkbox of the tool %s is set to %s: the result is %j',
    (patterns, tool, on, expected) => {
      const made = withTool(patterns, mill, tool, on, servers);
      expect([...made].sort()).toEqual([...expected].sort());
      expect(hasTool(made, 'mill', tool)).toBe(on);
    },
  );
});

describe('withServer', () => {
  it.each([
    [[], true, ['mill/*']],
    [['mill/weigh', 'post/send'], true, ['post/send', 'mill/*']],
    [['mill/*'], false, []],
    [['*'], false, ['post/*']],
    [['*'], true, ['*']],
  ])(
    'changes the patterns %j when the checkbox for all tools of the server is set to %s: the result is %j',
    (patterns, on, expected) => {
      const made = withServer(patterns, 'mill', on, servers);
      expect(made).toEqual(expected);
      expect(hasServer(made, 'mill')).toBe(on);
    },
  );
});

describe('withBuiltIn', () => {
  it.each([
    [['*'], true, ['*', 'platform/calculate']],
    [['*', 'platform/*'], false, ['*', 'platform/current_time']],
    [['platform/*', 'mill/*'], true, ['mill/*', 'platform/current_time', 'platform/calculate']],
    [['platform/calculate'], false, []],
  ])(
    'changes the patterns %j when the checkbox of the calculator is set to %s: the result is %j',
    (patterns, on, expected) => {
      const made = withBuiltIn(patterns, 'calculate', on);
      expect(made).toEqual(expected);
      expect(hasBuiltIn(made, 'calculate')).toBe(on);
    },
  );
});

describe('builtInOf', () => {
  it('returns no built-in tool for the pattern *, which matches only the tools of MCP servers', () =>
    expect(builtInOf(['*', 'mill/*'])).toEqual([]));
});

describe('patternsBeyond', () => {
  it('returns the patterns that no checkbox represents', () => {
    const patterns = ['*', 'mill/*', 'mill/weigh', 'mill/gone', 'old/*', 'plugins/*', 'platform/calculate'];
    expect(patternsBeyond(patterns, servers, ['plugins/*'])).toEqual(['mill/gone', 'old/*']);
  });
});

describe('countAllowed', () => {
  it.each([
    [['*'], 'All 3 tools, and those added later'],
    [['mill/weigh', 'mill/grind'], '2 of 3 tools'],
    [[], '0 of 3 tools'],
  ])('describes the patterns %j as "%s"', (patterns, text) => expect(countAllowed(patterns, mill)).toBe(text));
});
