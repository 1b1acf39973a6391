import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js';
import { openApprovals, type TestApprovals } from '../../runs/approvals/test-approvals.js';

const PATH = '/api/v1/mcp/platform/mcp';

let test: TestApprovals;
let token: string;
/** The input requests that the client's user received. */
const asked: string[] = [];
beforeAll(async () => {
  test = await openApprovals();
  token = await test.runtime.newToken();
});
afterAll(() => test.close());
beforeEach(() => {
  asked.splice(0);
  test.received.splice(0);
});

const PAY = { name: 'pay', rule: 'ask' } as const;
const pay = (euros: number) => ({ tool: 'pay', args: { euros } });
const bodies = () => test.received.map(({ body }) => body);

type Answer = (message: string) => ElicitResult;
const approve: Answer = () => ({ action: 'accept', content: { approve: true } });
const recorded =
  (answer: Answer) =>
  ({ params }: { params: { message: string } }) => {
    asked.push(params.message);
    return answer(params.message);
  };

/** Connects the stock client of 2025-11-25. The client sends its call to one process and its responses to another process. */
async function legacy(answer?: Answer, credential = token) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: answer ? { elicitation: {} } : {} });
  if (answer) client.setRequestHandler(ElicitRequestSchema, recorded(answer));
  const elsewhere: typeof fetch = (input, init) => {
    const isResponse = typeof init?.body === 'string' && !init.body.includes('"method"');
    return fetch(isResponse ? test.other.url + PATH : input, init);
  };
  const requestInit = { headers: { authorization: `Bearer ${credential}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(test.runtime.url + PATH), { requestInit, fetch: elsewhere }),
  );
  return client;
}
/** Connects the stock client of 2026-07-28. The client sends its first call to one process and the repetitions to another process. */
async function modern(answer?: Answer, credential = token) {
  const client = new ModernClient(
    { name: 'test', version: '1' },
    { capabilities: answer ? { elicitation: {} } : {}, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  if (answer) client.setRequestHandler('elicitation/create', recorded(answer));
  const elsewhere: typeof fetch = (input, init) => {
    const isRepeated = typeof init?.body === 'string' && init.body.includes('"requestState"');
    return fetch(isRepeated ? test.other.url + PATH : input, init);
  };
  const requestInit = { headers: { authorization: `Bearer ${credential}` } };
  await client.connect(new ModernTransport(new URL(test.runtime.url + PATH), { requestInit, fetch: elsewhere }));
  return client;
}

async function ask(client: Pick<Client, 'callTool'> | Pick<ModernClient, 'callTool'>, slug: string) {
  const { content, isError } = await client.callTool({ name: `ask_${slug}`, arguments: { content: 'Go.' } });
  return { text: (content as { text: string }[])[0]?.text ?? '', isError };
}

describe.each([
  ['2025-11-25', legacy],
  ['2026-07-28', modern],
])('ask_<agent>, called by an SDK client of %s, when a tool of the agent needs approval', (_version, connect) => {
  it("requests the user's approval with the tool and its arguments, and answers with the result of the run", async () => {
    const slug = await test.newAgent([PAY], [pay(5)]);
    const client = await connect(approve);
    expect((await ask(client, slug)).text).toContain(`Read: {"done":"pay_${slug}"}`);
    expect(asked).toEqual([expect.stringContaining(`tool pay_${slug}, with {"euros":5}`)]);
    expect(bodies()).toEqual([{ euros: 5 }]);
    const decisions = await test.runtime.db.prisma.governanceDecision.findMany({
      where: { action: 'approval.decide', detail: { path: ['tool'], equals: `pay_${slug}` } },
    });
    expect(decisions).toMatchObject([{ decision: 'allow', detail: { decision: 'approved' } }]);
    await client.close();
  });

  it('requests an approval for each call, in as many rounds as the run needs', async () => {
    const slug = await test.newAgent([PAY], [pay(5), pay(6)], [pay(7)]);
    const client = await connect((message) =>
      message.includes('"euros":6') ? { action: 'accept', content: { approve: false } } : approve(message),
    );
    expect((await ask(client, slug)).text).toContain('Read:');
    expect(asked).toHaveLength(3);
    expect(bodies()).toEqual([{ euros: 5 }, { euros: 7 }]);
    await client.close();
  });

  it('also requests the approvals for calls by called agents, in as many rounds as the called agents need', async () => {
    const slug = await test.newCaller(await test.newAgent([PAY], [pay(5)], [pay(6)]));
    const client = await connect(approve);
    expect((await ask(client, slug)).text).toContain('Heard: Read:');
    expect(asked).toEqual([expect.stringContaining('{"euros":5}'), expect.stringContaining('{"euros":6}')]);
    expect(bodies()).toEqual([{ euros: 5 }, { euros: 6 }]);
    await client.close();
  });

  it('does not call the tool when the user declines the approval', async () => {
    const slug = await test.newAgent([PAY], [pay(5)]);
    const client = await connect(() => ({ action: 'decline' }));
    expect((await ask(client, slug)).text).toContain('Read:');
    expect(bodies()).toEqual([]);
    await client.close();
  });

  it.each<[string, Answer | undefined, object]>([
    ['the user closes the form', () => ({ action: 'cancel' }), PAY],
    ['the client cannot show forms', undefined, PAY],
    ['another user has to decide', approve, { ...PAY, otherDecider: true }],
  ])(
    'answers with the id of the run and the address of the inbox when %s; a decision in the inbox continues the run',
    async (_when, answer, tool) => {
      const slug = await test.newAgent([tool as typeof PAY], [pay(5)]);
      const client = await connect(answer);
      const { text, isError } = await ask(client, slug);
      expect([isError, text]).toEqual([true, expect.stringMatching(/run run_\w{22}\. Decide in the inbox, http/)]);
      expect(bodies()).toEqual([]);
      const [approval] = await test.pendingOf(slug);
      if (approval) await test.decide(approval, { decision: 'approve' }, test.admin);
      await test.answerOf(slug);
      expect(bodies()).toEqual([{ euros: 5 }]);
      await client.close();
    },
  );

  it('requests no approval when the credential lacks the scope runs:approve', async () => {
    const slug = await test.newAgent([PAY], [pay(5)]);
    const scopes = ['mcp:read', 'mcp:call', 'agents:message'];
    const client = await connect(approve, await test.runtime.newToken({ scopes }));
    expect(await ask(client, slug)).toMatchObject({ isError: true });
    expect([asked, bodies()]).toEqual([[], []]);
    await client.close();
  });
});

/** Sends the HTTP request that a client of 2026-07-28 would send for a call. */
async function post(slug: string, more: object = {}, credential = token) {
  const name = `ask_${slug}`;
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const response = await fetch(test.runtime.url + PATH, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${credential}`, 'content-type': 'application/json', accept: 'application/json' },
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: { content: 'Go.' }, ...more, _meta },
    }),
  });
  return (await response.json()) as {
    result?: { resultType: string; requestState: string; inputRequests: object; content?: { text: string }[] };
    error?: { code: number };
  };
}

describe('a repeated call of ask_<agent>', () => {
  const approved = (requests: object) =>
    Object.fromEntries(Object.keys(requests).map((key) => [key, { action: 'accept', content: { approve: true } }]));

  it("leads to one call of the agent's tool, even when it is sent twenty times concurrently", async () => {
    const slug = await test.newAgent([PAY], [pay(5)]);
    const { result } = await post(slug);
    expect(result?.resultType).toBe('input_required');
    const { requestState = '', inputRequests = {} } = result ?? {};
    const more = { requestState, inputResponses: approved(inputRequests) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(slug, more)));
    for (const answer of answers) expect(JSON.stringify(answer)).toContain('Read:');
    expect(bodies()).toEqual([{ euros: 5 }]);
  });

  it('is refused for a run of another user or agent, and for a run that this tool did not start', async () => {
    const slug = await test.newAgent([PAY], [pay(5)]);
    const { result } = await post(slug);
    const { requestState = '', inputRequests = {} } = result ?? {};
    const more = { requestState, inputResponses: approved(inputRequests) };
    const { id: userId } = await test.runtime.newUser('mallory@example.com');
    const foreign = await test.runtime.newToken({ userId });
    const [own] = await test.runtime.db.prisma.agent.findMany({ where: { slug: { not: slug } }, take: 1 });
    for (const answer of [
      await post(slug, more, foreign),
      await post(own?.slug ?? '', more),
      await post(slug, { ...more, requestState: 'run_0000000000000000000000' }),
      await post(slug, { ...more, requestState: 'forged' }),
    ])
      expect(answer.error?.code).toBe(-32602);
    expect(bodies()).toEqual([]);
  });

  it('ignores responses to approvals that the run did not request, and answers with the address of the inbox', async () => {
    const slug = await test.newAgent([PAY], [pay(5)]);
    const { result } = await post(slug);
    const more = { requestState: result?.requestState, inputResponses: approved({ apr_0000000000000000000000: {} }) };
    expect((await post(slug, more)).result?.content?.[0]?.text).toContain('Decide in the inbox');
    expect(bodies()).toEqual([]);
  });
});

describe('a session of the built-in server', () => {
  const initialize = async (capabilities: object) => {
    const response = await fetch(test.runtime.url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } },
      }),
    });
    return response.headers.get('mcp-session-id');
  };
  const within = (session: string, credential = token, method = 'POST') =>
    fetch(test.runtime.url + PATH, {
      ...{ method, ...(method === 'POST' && { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }) },
      headers: {
        ...{ authorization: `Bearer ${credential}`, 'content-type': 'application/json', accept: 'application/json' },
        'mcp-session-id': session,
      },
    });

  it('is opened only for clients that can show forms, is answered 404 for other users, and ends by DELETE', async () => {
    expect(await initialize({})).toBeNull();
    const session = (await initialize({ elicitation: {} })) ?? '';
    expect((await within(session)).status).toBe(200);
    const { id: userId } = await test.runtime.newUser('eve@example.com');
    expect((await within(session, await test.runtime.newToken({ userId }))).status).toBe(404);
    expect((await within('unknown')).status).toBe(404);
    expect((await within(session, token, 'DELETE')).status).toBe(204);
    expect((await within(session)).status).toBe(404);
  });
});
