import { attach, ServerTools, type NamedServer } from './server-tools.js';

const bank: NamedServer = { id: 'ms_1', status: 'active', tools: ['look', 'pay', 'not a name'] };
const askedOf = (changes: object) => {
  const tool = ServerTools.parse({ type: 'mcp', server_label: 'bank', ...changes });
  const { mcp_tools, ask_tools } = attach([{ tool, field: 'tools.0' }], new Map([['bank', bank]]));
  return [mcp_tools, ask_tools];
};

describe('attach', () => {
  it.each<[string, object, string[], string[]]>([
    ['every tool, and each waits, by default', {}, ['bank/*'], ['bank/*']],
    ['no list of its own with null', { allowed_tools: null, require_approval: null }, ['bank/*'], ['bank/*']],
    ['no tool that waits with never', { require_approval: 'never' }, ['bank/*'], []],
    ['the allowed tools', { allowed_tools: ['pay', 'pay'] }, ['bank/pay'], ['bank/pay']],
    ['the tools of a filter', { allowed_tools: { tool_names: ['look'] } }, ['bank/look'], ['bank/look']],
    ['no tool for an empty list', { allowed_tools: [] }, [], []],
    [
      'the tools that never does not name',
      { require_approval: { never: { tool_names: ['look'] } } },
      ['bank/look', 'bank/pay'],
      ['bank/pay'],
    ],
    [
      'the tools that always names, and those that no list names',
      { require_approval: { always: { tool_names: ['look'] }, never: { tool_names: ['look'] } } },
      ['bank/look', 'bank/pay'],
      ['bank/look', 'bank/pay'],
    ],
    [
      'every tool that has a name for an empty object',
      { require_approval: {} },
      ['bank/look', 'bank/pay'],
      ['bank/look', 'bank/pay'],
    ],
  ])('has %s', (_, changes, tools, asked) => {
    expect(askedOf(changes)).toEqual([tools, asked]);
  });

  it('refuses a server that is not active', () => {
    const tool = ServerTools.parse({ type: 'mcp', server_label: 'bank' });
    const servers = new Map([['bank', { ...bank, status: 'inactive' }]]);
    expect(() => attach([{ tool, field: 'tools.0' }], servers)).toThrow(
      expect.objectContaining({
        fields: [{ field: 'tools.0.server_label', reason: 'names a server that is inactive' }],
      }) as Error,
    );
  });
});

describe('ServerTools', () => {
  it.each(['server_url', 'connector_id', 'authorization', 'headers'])(
    'refuses %s, with the advice to register the server',
    (field) => {
      const tool = { type: 'mcp', server_label: 'bank' };
      expect(ServerTools.safeParse({ ...tool, [field]: null }).success).toBe(true);
      expect(ServerTools.safeParse({ ...tool, [field]: 'x' }).error?.issues).toMatchObject([
        { path: [field], message: expect.stringContaining('register the MCP server') as string },
      ]);
    },
  );
});
