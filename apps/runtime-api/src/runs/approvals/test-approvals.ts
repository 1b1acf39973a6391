import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeId, newId } from '@millwright/db';
import {
  createFakeModel,
  createTestDatabase,
  listen,
  type FakeModel,
  type HttpClient,
  type ModelBehaviour,
  type ModelRequest,
} from '@millwright/testing';
import { agentIdOf, startRuntime, type Replica, type TestRuntime } from '../../test-runtime.js';
import type { Approval } from './approvals.contract.js';

export interface AskedTool {
  /** Name of the tool. The tool's default answer contains it. */
  name: string;
  answer?: unknown;
  rule?: 'allow' | 'ask' | 'deny';
  otherDecider?: boolean;
  schema?: object;
}

export interface AskedCall {
  /** Name of the tool. */
  tool: string;
  args?: object;
}

interface Received {
  tool: string;
  body: unknown;
  key: string;
}

export interface TestApprovals {
  runtime: TestRuntime;
  other: Replica;
  model: FakeModel;
  /** HTTP clients of the requester and of an admin who decides. */
  call: HttpClient;
  admin: HttpClient;
  received: Received[];
  /**
   * Creates an agent with these tools. In each answer, its model makes the calls of the next step. After the last step, it repeats the
   * answers of the tools.
   * @returns its slug
   */
  newAgent: (tools: readonly AskedTool[], ...steps: AskedCall[][]) => Promise<string>;
  /** Creates an agent that calls the agent `callee` once for each message, and then repeats the answer of `callee`. @returns its slug */
  newCaller: (callee: string) => Promise<string>;
  send: (slug: string, by?: HttpClient) => ReturnType<HttpClient>;
  /** Waits for this number of pending approvals of an agent's runs. @returns the approvals, oldest first */
  pendingOf: (slug: string, count?: number) => Promise<Approval[]>;
  /** Sends a decision. Repeats the request while the process answers 503 on a busy machine, as clients do. */
  decide: (approval: Approval, json: object, by?: HttpClient) => ReturnType<HttpClient>;
  /**
   * Waits until the agent's run has ended.
   * @returns the last message that the model of the run wrote
   */
  answerOf: (slug: string) => Promise<string>;
  runOf: (slug: string) => Promise<{ id: string; state: string; waiting_for: string | null }>;
  close: () => Promise<void>;
}

export async function until<Found>(find: () => Promise<Found | undefined | false>): Promise<Found> {
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const messagesOf = ({ body }: ModelRequest) => body['messages'] as { role: string; content: string }[];
/** Returns the answers of tools that a model request contains. */
const readBy = (request: ModelRequest) =>
  messagesOf(request).flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

/** Two processes of the runtime API, a tool server that records its calls, and a model that follows a script. */
export async function openApprovals(): Promise<TestApprovals> {
  const [database, model] = await Promise.all([createTestDatabase(), createFakeModel()]);
  const received: Received[] = [];
  const answers = new Map<string, unknown>();
  const upstream = await listen((request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const tool = decodeURIComponent((request.url ?? '/').slice(1));
      received.push({ tool, body: JSON.parse(text), key: String(request.headers['idempotency-key']) });
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answers.get(tool) ?? { done: tool }));
    });
  });
  const runtime = await startRuntime(database.url, model.url);
  const other = await runtime.start();
  const call = runtime.as(await runtime.newToken());
  const { id: userId } = await runtime.newUser('grace@example.com', { role: 'admin' });
  const admin = other.as(await runtime.newToken({ userId }));

  /**
   * The behaviour of the model for each agent, the newest agent first. Entries of earlier tests stay, because their runs may still call the
   * model.
   */
  const scripts: { slug: string; answer: (request: ModelRequest) => ModelBehaviour }[] = [];
  /**
   * Finds the agent by its name in the instructions or the tools of the request. The request of a calling agent also contains the name of
   * the older agent that it calls, so the newest match is used.
   */
  function followScripts(request: ModelRequest): ModelBehaviour {
    const text = JSON.stringify(request.body).toLowerCase();
    return scripts.find(({ slug }) => text.includes(slug))?.answer(request) ?? {};
  }

  const newAgent: TestApprovals['newAgent'] = async (tools, ...steps) => {
    const name = `Agent${newId().slice(-8)}`;
    const slug = name.toLowerCase();
    await runtime.newAgent({ name, instructions: `You are ${name}.` });
    const shown = (tool: string) => `${tool}_${slug}`;
    for (const { name: tool, answer: answered, rule, otherDecider = false, schema } of tools) {
      answers.set(shown(tool), answered);
      const config = { url: `${upstream.url}/${shown(tool)}`, ...(schema && { input_schema: schema }) };
      const { id } = await runtime.newPlugin({ name: shown(tool), type: 'tool', config, agent: slug });
      const marked = rule && { rule, rule_version: 1 };
      await runtime.db.prisma.plugin.update({ where: { id }, data: { ...marked, other_decider: otherDecider } });
    }
    let taken = 0;
    const answer = (request: ModelRequest): ModelBehaviour => {
      const step = steps[taken];
      taken += 1;
      if (!step) return { content: `Read: ${readBy(request).join(' | ')}` };
      return {
        content: null,
        toolCalls: step.map(({ tool, args = {} }, index) => ({
          id: `call_${index}`,
          type: 'function',
          function: { name: shown(tool), arguments: JSON.stringify(args) },
        })),
      };
    };
    scripts.unshift({ slug, answer });
    model.answerWith(followScripts);
    return slug;
  };

  const newCaller: TestApprovals['newCaller'] = async (callee) => {
    const name = `Caller${newId().slice(-8)}`;
    const slug = name.toLowerCase();
    await runtime.newAgent({ name, instructions: `You are ${name}.`, callees: [await agentIdOf(runtime, callee)] });
    const answer = (request: ModelRequest): ModelBehaviour => {
      const read = readBy(request);
      if (read.length > 0) return { content: `Heard: ${read.join(' | ')}` };
      const called = { name: `ask_${callee}`, arguments: '{"message":"Go."}' };
      return { content: null, toolCalls: [{ id: 'call_0', type: 'function', function: called }] };
    };
    scripts.unshift({ slug, answer });
    return slug;
  };

  const runOf: TestApprovals['runOf'] = (slug) =>
    runtime.db.prisma.run.findFirstOrThrow({ where: { subject_name: slug }, orderBy: { id: 'desc' } });

  return {
    ...{ runtime, other, model, call, admin, received, newAgent, newCaller, runOf },
    send: (slug, by = call) => by('POST', `/api/v1/agents/${slug}/messages`, { json: { content: 'Go.' } }),
    pendingOf: (slug, count = 1) =>
      until(async () => {
        const { body } = await admin('GET', '/api/v1/approvals');
        const { items } = body as { items: Approval[] };
        const found = items.filter(({ agent, may_decide }) => agent.name === slug && may_decide);
        return found.length >= count && found.reverse();
      }),
    decide: ({ id, run_id }, json, by = call) =>
      until(async () => {
        const answer = await by('POST', `/api/v1/runs/${run_id}/approvals/${id}`, { json });
        return answer.status !== 503 && answer;
      }),
    answerOf: (slug) =>
      until(async () => {
        const { id, state } = await runOf(slug);
        if (state !== 'completed') return undefined;
        const { answer_id } = await runtime.db.prisma.run.findUniqueOrThrow({ where: { id } });
        const answer = await runtime.db.prisma.contextMessage.findUniqueOrThrow({ where: { id: answer_id ?? '' } });
        return answer.content;
      }),
    async close() {
      await runtime.close();
      await Promise.all([database.drop(), model.close(), upstream.close()]);
    },
  };
}

/** Returns the row id of an approval. */
export const rowOf = ({ id }: Approval): string => decodeId('apr', id) ?? '';
