import { attach, ServerTools, type NamedServer } from './server-tools.js';

const bank: NamedServer = { id: 'ms_1', status: 'active', tools: ['look', 'pay', 'not a name'] };
const askedOf = (changes: object) => {
  const tool = ServerTools.parse({ type: 'mcp', server_label: 'bank', ...changes });
  const { mcp_tools, ask_tools } = attach([{ tool, field: 'tools.0' }], new Map([['bank', bank]]));
  return [mcp_tools, ask_tools];
};

describe('attaching a tool of type mcp', () => {
  it.each<[string, object, string[], string[]]>([
    ['every tool, with approval, by default', {}, ['bank/*'], ['bank/*']],
    [
      'every tool, with approval, when both fields are null',
      { allowed_tools: null, require_approval: null },
      ['bank/*'],
      ['bank/*'],
    ],
    ['every tool, without approval, when require_approval is never', { require_approval: 'never' }, ['bank/*'], []],
    ['only the tools in allowed_tools', { allowed_tools: ['pay', 'pay'] }, ['bank/pay'], ['bank/pay']],
    [
      'only the tools of a filter in allowed_tools',
      { allowed_tools: { tool_names: ['look'] } },
      ['bank/look'],
      ['bank/look'],
    ],
    ['no tool when allowed_tools is empty', { allowed_tools: [] }, [], []],
    [
      'tools without approval only when the list never names them',
      { require_approval: { never: { tool_names: ['look'] } } },
      ['bank/look', 'bank/pay'],
      ['bank/pay'],
    ],
    [
      'tools with approval when the list always names them or no list names them',
      { require_approval: { always: { tool_names: ['look'] }, never: { tool_names: ['look'] } } },
      ['bank/look', 'bank/pay'],
      ['bank/look', 'bank/pay'],
    ],
    [
      'every tool with a valid name, with approval, when require_approval is an empty object',
      { require_approval: {} },
      ['bank/look', 'bank/pay'],
      ['bank/look', 'bank/pay'],
    ],
  ])('allows %s', (_, changes, tools, asked) => {
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

describe('a tool of type mcp in a request', () => {
  it.each(['server_url', 'connector_id', 'authorization', 'headers'])(
    'is refused with the field %s; the error advises to register the server',
    (field) => {
      const tool = { type: 'mcp', server_label: 'bank' };
      expect(ServerTools.safeParse({ ...tool, [field]: null }).success).toBe(true);
      expect(ServerTools.safeParse({ ...tool, [field]: 'x' }).error?.issues).toMatchObject([
        { path: [field], message: expect.stringContaining('register the MCP server') as string },
      ]);
    },
  );
});
