import { createFakeMcpServer, createFakeModel, type FakeMcpServer, type FakeModel } from '@millwright/testing';
import OpenAI from 'openai';
import type { Response, ResponseCreateParamsNonStreaming, Tool } from 'openai/resources/responses/responses';
import { callers } from './harness/calls.js';
import { registerMcpServer } from './harness/mcp.js';
import { startPlatform, type Platform } from './harness/platform.js';
import { until } from './harness/until.js';

type Body = Partial<ResponseCreateParamsNonStreaming> & { input: ResponseCreateParamsNonStreaming['input'] };

interface ChatRequest {
  messages: { role: string; content: string }[];
  tools?: { function: { name: string } }[];
}

const model = 'house-model';
const TOOLS = ['look', 'pay', 'drop'].map((name) => ({
  name,
  description: `Tool ${name}.`,
  inputSchema: { type: 'object', properties: { euros: { type: 'number' } } },
}));

let house: FakeModel;
let bank: FakeMcpServer;
let platform: Platform;
let openai: OpenAI;

/** Makes the model call the tool that the user's last message names, if the request contains this tool, and then repeat the tool's result. */
function obey(): void {
  house.answerWith(({ body }) => {
    const { messages, tools = [] } = body as unknown as ChatRequest;
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const results = messages.slice(asked).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));
    if (results.length > 0) return { content: `Tool: ${results.join()}` };
    const text = messages[asked]?.content ?? '';
    const wanted = tools
      .map(({ function: { name } }) => name)
      .find((name) => text.endsWith(name.replace('bank__', '')));
    if (wanted === undefined) return { content: `Tools: ${tools.map(({ function: { name } }) => name).join()}` };
    return {
      content: null,
      toolCalls: [{ id: 'call_1', type: 'function', function: { name: wanted, arguments: '{"euros":5}' } }],
    };
  });
}

const lastRequest = () => house.requests.at(-1)?.body as unknown as ChatRequest;

beforeAll(async () => {
  [house, bank] = await Promise.all([createFakeModel(), createFakeMcpServer('modern', TOOLS)]);
  obey();
  platform = await startPlatform({ env: { MODEL_BASE_URL: house.url, MODEL_NAME: model, UNMARKED_TOOLS: 'allow' } });
  await registerMcpServer(platform, 'Bank', bank.url);
  const { platform: call } = callers(platform);
  const servers = await call<{ items: { id: string; slug: string }[] }>('/mcp/servers');
  const rules = `/mcp/servers/${servers.body.items.find(({ slug }) => slug === 'bank')?.id ?? ''}/tools/rules`;
  const { body } = await call<{ items: { name: string; hash: string }[] }>(rules);
  const hash = body.items.find(({ name }) => name === 'drop')?.hash;
  const set = await call(rules, { method: 'PUT', body: { rules: [{ name: 'drop', hash, rule: 'deny' }] } });
  if (set.status !== 200) throw new Error(set.text);
  openai = connect(platform.apiKey);
});
afterAll(async () => {
  await platform.stop();
  await Promise.all([house.close(), bank.close()]);
});
beforeEach(() => void bank.calls.splice(0));

const connect = (apiKey: string) => new OpenAI({ baseURL: `${platform.promptUrl}/v1`, apiKey, maxRetries: 0 });

const tool = (changes: Partial<Tool.Mcp> = {}): Tool.Mcp => ({
  ...{ type: 'mcp', server_label: 'bank', require_approval: 'never' },
  ...changes,
});
const ask = (body: Body, client = openai): Promise<Response> =>
  client.responses.create({ model, tools: [tool()], ...body });
const kinds = ({ output }: Response) => output.map(({ type }) => type);
const requestsOf = ({ output }: Response) =>
  output.flatMap((item) => (item.type === 'mcp_approval_request' ? [item] : []));
const decide = (asked: Response, approve: boolean): Body => ({
  previous_response_id: asked.id,
  tools: undefined,
  input: requestsOf(asked).map(({ id }) => ({
    ...{ type: 'mcp_approval_response' as const, approval_request_id: id, approve },
    ...(!approve && { reason: 'Not this month.' }),
  })),
});
const refusal = async (answer: Promise<unknown>): Promise<[status: unknown, param: unknown]> => {
  const error: unknown = await answer.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof OpenAI.APIError) return [error.status, error.param];
  throw new Error('it did not fail as an APIError', { cause: error });
};

describe('tools of type mcp in the responses of the OpenAI client', () => {
  it('are called by a configured model, whose response has the calls and is stored', async () => {
    const response = await ask({ instructions: 'Be brief.', input: 'use look' });
    expect(response.output).toMatchObject([
      {
        ...{ type: 'mcp_call', status: 'completed', name: 'look', server_label: 'bank', arguments: '{"euros":5}' },
        ...{ output: 'look {"euros":5}', error: null, approval_request_id: null },
      },
      { type: 'message' },
    ]);
    expect(response.output_text).toBe('Tool: look {"euros":5}');
    expect(lastRequest().messages[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(await openai.responses.retrieve(response.id)).toMatchObject({ id: response.id, output: response.output });
    const { data } = await openai.responses.inputItems.list(response.id);
    expect(data).toMatchObject([{ type: 'message', content: [{ text: 'use look' }] }]);
    const { body } = await callers(platform).runtime<{ state: string; channel: string }>(
      `/api/v1/runs/${response.id.replace('resp_', 'run_')}`,
    );
    expect(body).toMatchObject({ state: 'completed', channel: 'responses' });
  });

  it('are called by a stored prompt', async () => {
    const { body } = await callers(platform).prompt<{ id: string }>('/prompt', {
      body: {
        instruction: { static: 'You are a banker in {{city}}.', dynamic: '{{message}}' },
        input: { name: 'variables', schema: { type: 'object', properties: { city: { type: 'string' } } } },
        ...{ output: {}, metadata: { title: 'Banker' } },
      },
    });
    const response = await ask({
      ...{ model: undefined, prompt: { id: body.id, variables: { city: 'Paris' } }, input: 'use look' },
    });
    expect([response.output_text, bank.calls.length]).toEqual(['Tool: look {"euros":5}', 1]);
    expect(lastRequest().messages[0]).toEqual({ role: 'system', content: 'You are a banker in Paris.' });
  });

  it('are only the tools that allowed_tools names', async () => {
    const { output_text } = await ask({ tools: [tool({ allowed_tools: ['pay'] })], input: 'use look' });
    expect([output_text, bank.calls]).toEqual(['Tools: bank__pay', []]);
  });

  it('are not called when the rule of the tool is `deny`, even with require_approval never', async () => {
    const response = await ask({ input: 'use drop' });
    expect(response.output[0]).toMatchObject({ type: 'mcp_call', status: 'failed', output: null });
    expect(response.output_text).toContain('The rule of this tool refuses its calls.');
    expect(bank.calls).toEqual([]);
  });

  it.each([
    ['by default', undefined],
    ['with require_approval always', 'always' as const],
    ['when require_approval.never does not name the tool', { never: { tool_names: ['look'] } }],
  ])(
    'wait for an approval %s, are called once after the approval, and the conversation continues',
    async (_, require_approval) => {
      const tools = [tool({ require_approval })];
      const asked = await ask({ tools, input: 'use pay' });
      expect([kinds(asked), bank.calls]).toEqual([['mcp_approval_request'], []]);
      expect(requestsOf(asked)).toMatchObject([{ name: 'pay', server_label: 'bank', arguments: '{"euros":5}' }]);
      expect(await refusal(ask({ tools, previous_response_id: asked.id, input: 'And now?' }))).toEqual([
        400,
        'previous_response_id',
      ]);
      const done = await ask({ ...decide(asked, true), tools });
      expect(done.output).toMatchObject([
        { type: 'mcp_call', name: 'pay', approval_request_id: requestsOf(asked)[0]?.id, status: 'completed' },
        { type: 'message' },
      ]);
      expect((await refusal(ask(decide(asked, true))))[0]).toBe(409);
      expect(bank.calls).toHaveLength(1);
      const next = await ask({ tools, previous_response_id: done.id, input: 'Thanks.' });
      expect(next.output_text).toContain('Tools: ');
      expect(lastRequest().messages.map(({ content }) => content)).toEqual([
        ...['use pay', 'Tool: pay {"euros":5}', 'Thanks.'],
      ]);
      expect(await openai.responses.retrieve(done.id)).toMatchObject({ output: done.output });
    },
  );

  it.each(['by their chain', 'by references', 'by a prompt that inserts them'])(
    'wait for an approval under the policy ask_when_tainted when the run reads messages of an earlier response, %s',
    async (by) => {
      await callers(platform).platform('/tool-policy', { method: 'PUT', body: { unmarked_tools: 'ask_when_tainted' } });
      const first = await ask({ input: 'Which?' });
      expect(kinds(await ask({ input: 'use look' }))).toEqual(['mcp_call', 'message']);
      const { body } = await callers(platform).prompt<{ id: string }>('/prompt', {
        body: {
          instruction: { static: '', dynamic: '{{conversation.history}} {{message}}' },
          ...{ input: {}, output: {}, metadata: { title: 'Teller' } },
        },
      });
      const chained = { previous_response_id: first.id, input: 'use look' };
      const bodies: Record<string, Body> = {
        'by their chain': chained,
        'by references': {
          input: [
            { role: 'user', content: 'Which?' },
            { type: 'item_reference', id: first.output.at(-1)?.id ?? '' },
            { role: 'user', content: 'use look' },
          ],
        },
        'by a prompt that inserts them': { ...chained, model: undefined, prompt: { id: body.id } },
      };
      const asked = await ask(bodies[by] ?? chained);
      await callers(platform).platform('/tool-policy', { method: 'PUT', body: { unmarked_tools: 'allow' } });
      expect(kinds(asked)).toEqual(['mcp_approval_request']);
    },
  );

  it('are not called after a refusal; the model receives the reason of the refusal', async () => {
    const asked = await ask({ tools: [tool({ require_approval: 'always' })], input: 'use pay' });
    const done = await ask(decide(asked, false));
    expect([done.output_text, bank.calls]).toEqual([expect.stringContaining('Not this month.'), []]);
    expect(done.output[0]).toMatchObject({ type: 'mcp_call', status: 'failed' });
  });

  it('have their calls in the events of a streamed response', async () => {
    const types: string[] = [];
    const stream = openai.responses.stream({ model, tools: [tool()], input: 'use look' });
    for await (const { type } of stream) types.push(type);
    expect(types).toEqual([
      ...['response.created', 'response.in_progress', 'response.output_item.added', 'response.mcp_call.in_progress'],
      ...['response.mcp_call_arguments.delta', 'response.mcp_call_arguments.done', 'response.mcp_call.completed'],
      ...['response.output_item.done', 'response.output_item.added', 'response.content_part.added'],
      ...['response.output_text.delta', 'response.output_text.done', 'response.content_part.done'],
      ...['response.output_item.done', 'response.completed'],
    ]);
    const { output_text, output } = await stream.finalResponse();
    expect([output_text, output.length]).toEqual(['Tool: look {"euros":5}', 2]);
  });

  it('are called for a background response, also after an approval; their calls are canceled with the response', async () => {
    const tools = [tool({ require_approval: 'always' })];
    const begun = await ask({ tools, background: true, input: 'use pay' });
    expect(begun.status).toBe('in_progress');
    const settled = ({ id }: Response) =>
      until(async () => {
        const response = await openai.responses.retrieve(id);
        return response.status === 'in_progress' ? undefined : response;
      });
    const asked = await settled(begun);
    expect(kinds(asked)).toEqual(['mcp_approval_request']);
    const going = await ask({ ...decide(asked, true), background: true });
    const done = await settled(going);
    expect([done.output_text, bank.calls.length]).toEqual(['Tool: pay {"euros":5}', 1]);
    const streamed: string[] = [];
    for await (const { type } of await openai.responses.retrieve(done.id, { stream: true })) streamed.push(type);
    expect(streamed.at(-1)).toBe('response.completed');
    bank.behaviour = 'hang';
    const hanging = await ask({ background: true, input: 'use look' });
    const canceled = await openai.responses.cancel(hanging.id);
    bank.behaviour = 'serve';
    bank.dropConnections();
    expect(canceled.status).toBe('cancelled');
  });

  it("include the clock of the platform's built-in MCP server, whose label is `platform`", async () => {
    const { output_text } = await ask({
      tools: [tool({ server_label: 'platform', allowed_tools: ['current_time'] })],
      input: 'Which?',
    });
    expect(output_text).toBe('Tools: current_time');
  });

  it.each([
    ['tools.0.server_label', { tools: [tool({ server_label: 'none' })] }],
    ['tools.1.server_label', { tools: [tool(), tool()] }],
    ['tools.0.server_url', { tools: [tool({ server_url: 'https://bank.example' })] }],
    ['tools.0.authorization', { tools: [tool({ authorization: 'token' })] }],
    ['tools.0.headers', { tools: [tool({ headers: { a: 'b' } })] }],
    ['tools.0.allowed_tools', { tools: [tool({ allowed_tools: ['none'] })] }],
    ['tools.0.require_approval.never', { tools: [tool({ require_approval: { never: { tool_names: ['none'] } } })] }],
    ['tools', { tools: [tool(), { type: 'function' as const, name: 'f', parameters: {}, strict: false }] }],
    ['tool_choice', { tool_choice: 'required' as const }],
    ['text.format', { text: { format: { type: 'json_object' as const } } }],
    ['store', { store: false }],
  ])('cause a 400 that names the invalid parameter: %s', async (param, changes) => {
    expect(await refusal(ask({ ...changes, input: 'use look' }))).toEqual([400, param]);
  });

  it('cause a 400 when their server belongs to another project, and a 403 when the key lacks the scope mcp:call', async () => {
    const keyOf = async (...options: string[]) => {
      const { key = '' } = await platform.operator(
        'keys',
        'create',
        '--user',
        'admin@localhost',
        '--name',
        'own',
        ...options,
      );
      return connect(key);
    };
    const elsewhere = await keyOf('--project', 'Commerce');
    expect(await refusal(ask({ input: 'use look' }, elsewhere))).toEqual([400, 'tools.0.server_label']);
    const limited = await keyOf('--scopes', 'prompts:run,mcp:read');
    const error: unknown = await ask({ input: 'use look' }, limited).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 403, message: expect.stringContaining('mcp:call') as string });
    expect(bank.calls).toEqual([]);
  });
});
