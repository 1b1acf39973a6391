import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createFakeModel, listen, type FakeModel, type ListeningApp } from '@millwright/testing';
import OpenAI from 'openai';
import type { Response } from 'openai/resources/responses/responses';
import { callers } from './harness/calls.js';
import { startPlatform, type Platform } from './harness/platform.js';
import { callFirstTool } from './harness/tool-calling.js';

interface Approval {
  id: string;
  state: string;
}

const model = 'agent/payer';
const input = 'Pay the bill.';

let house: FakeModel;
let platform: Platform;
let tool: ListeningApp;
let openai: OpenAI;
/** Bodies of the requests that the tool received. */
const called: string[] = [];

/** The tool `pay`, which records the bodies of its calls. */
async function pay(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') called.push(await text(request));
  response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ result: 'Paid 5 euros.' }));
}

beforeAll(async () => {
  house = await createFakeModel();
  callFirstTool(house, { euros: 5 });
  tool = await listen((request, response) => void pay(request, response));
  platform = await startPlatform({
    replicas: { 'runtime-api': 2 },
    env: { MODEL_BASE_URL: house.url, MODEL_NAME: 'house-model', UNMARKED_TOOLS: 'ask' },
  });
  const call = callers(platform).platform;
  const plugin = await call<{ id: string }>('/plugins', {
    body: { name: 'Pay', description: 'Pays.', type: 'tool', config: { url: tool.url } },
  });
  await call('/agents', { body: { name: 'Payer', description: 'Pays bills.', plugin_ids: [plugin.body.id] } });
  openai = connect(platform.apiKey);
});
afterAll(async () => {
  await platform.stop();
  await Promise.all([house.close(), tool.close()]);
});
beforeEach(() => void (called.length = 0));

const connect = (apiKey: string) => new OpenAI({ baseURL: `${platform.promptUrl}/v1`, apiKey });

const idsOf = ({ output }: Response) =>
  output.flatMap((item) => (item.type === 'mcp_approval_request' ? [item.id] : []));

const decisionsOf = (asked: Response, approve: boolean) => ({
  ...{ model, previous_response_id: asked.id },
  input: idsOf(asked).map((approval_request_id) => ({
    ...{ type: 'mcp_approval_response' as const, approval_request_id, approve },
    ...(!approve && { reason: 'Not this month.' }),
  })),
});

async function approvalsOf({ id }: Response): Promise<Approval[]> {
  const { runtime } = callers(platform);
  return (await runtime<{ items: Approval[] }>(`/api/v1/runs/${id.replace('resp_', 'run_')}/approvals`)).body.items;
}

describe('a tool call by an agent that an OpenAI client uses through the Responses API', () => {
  it('is made once after its approval, even when the approval is sent several times', async () => {
    const asked = await openai.responses.create({ model, input });
    expect([asked.output.map(({ type }) => type), called]).toEqual([['mcp_approval_request'], []]);
    expect(asked.output[0]).toMatchObject({ arguments: JSON.stringify({ euros: 5 }), server_label: 'Pay' });
    const done = await openai.responses.create(decisionsOf(asked, true));
    expect(done.output_text).toContain('Paid 5 euros.');
    await expect(openai.responses.create(decisionsOf(asked, true))).rejects.toMatchObject({ status: 409 });
    expect(called).toHaveLength(1);
    expect(await approvalsOf(asked)).toMatchObject([{ id: idsOf(asked)[0], state: 'used' }]);
  });

  it('is not made after a refusal; the model receives the reason of the refusal', async () => {
    const asked = await openai.responses.create({ model, input });
    const done = await openai.responses.create(decisionsOf(asked, false));
    expect(done.output_text).toContain('Not this month.');
    expect(called).toEqual([]);
    expect(await approvalsOf(asked)).toMatchObject([{ state: 'refused' }]);
  });

  it('is made after its approval when the responses are streamed', async () => {
    const asked = await openai.responses.stream({ model, input }).finalResponse();
    const deltas: string[] = [];
    for await (const event of openai.responses.stream(decisionsOf(asked, true)))
      if (event.type === 'response.output_text.delta') deltas.push(event.delta);
    expect(deltas.join('')).toContain('Paid 5 euros.');
    expect(called).toHaveLength(1);
  });

  it('can be approved only by the user of its run', async () => {
    const asked = await openai.responses.create({ model, input });
    const bea = ['--email', 'bea@localhost', '--name', 'Bea', '--role', 'user', '--project', 'Core'];
    await platform.operator('users', 'create', ...bea);
    const { key = '' } = await platform.operator('keys', 'create', '--user', 'bea@localhost', '--name', 'bea');
    await expect(connect(key).responses.create(decisionsOf(asked, true))).rejects.toMatchObject({ status: 400 });
    expect([called, await approvalsOf(asked)]).toEqual([[], [expect.objectContaining({ state: 'pending' })]]);
  });
});
