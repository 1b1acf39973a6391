import { SystemPromptService } from 'systemprompt-mcp-core/build/services/systemprompt-service.js';
import type { Block } from './blocks/blocks.contract.js';
import { like, startTestApp, type TestApp } from './test-app.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let app: TestApp;
/** The published client, used against a running prompt API. */
let client: SystemPromptService;
/** Methods of the client that have succeeded. */
const succeeded = new Set<string>();

function noting(service: SystemPromptService): SystemPromptService {
  return new Proxy(service, {
    get(target, name: keyof SystemPromptService) {
      const method = target[name].bind(target) as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        const answer = await method(...args);
        succeeded.add(name);
        return answer;
      };
    },
  });
}

beforeAll(async () => {
  app = await startTestApp();
  SystemPromptService.initialize(await app.issueKey(), `${app.url}/v1`);
  client = noting(SystemPromptService.getInstance());
});
afterAll(async () => {
  SystemPromptService.cleanup();
  await app.close();
});

const metadata = { title: 'Made by a client', description: 'Of long ago', tag: ['mcp'], log_message: 'made' };
const newPrompt = {
  instruction: { static: 'You are kind.', dynamic: '{{message}}', state: '{{conversation.history}}' },
  input: {
    name: 'input',
    description: 'What is asked',
    type: ['message'],
    schema: { type: 'object' as const, properties: { topic: { type: 'string' as const } } },
  },
  output: {
    name: 'output',
    description: 'What is answered',
    type: ['structured_data'],
    schema: { type: 'object' as const, properties: { text: { type: 'string' as const } }, required: ['text'] },
  },
  metadata,
};

describe('systemprompt-mcp-core', () => {
  it('creates, lists, changes and deletes prompts', async () => {
    const made = await client.createPrompt(newPrompt);
    expect(made).toMatchObject({ ...newPrompt, id: like(UUID), _link: `/v1/prompt/${made.id}` });
    expect((await client.getAllPrompts()).map(({ id }) => id)).toContain(made.id);
    const edited = await client.editPrompt(made.id, {
      instruction: { ...newPrompt.instruction, static: 'You are very kind.' },
      metadata: { ...metadata, title: 'Edited' },
    });
    expect(edited).toMatchObject({ instruction: { static: 'You are very kind.' }, metadata: { title: 'Edited' } });
    await client.deletePrompt(made.id);
    await expect(client.deletePrompt(made.id)).rejects.toThrow('Resource not found');
  });

  it('creates, lists, reads, changes and deletes blocks', async () => {
    const made = await client.createBlock({ content: 'Be brief.', prefix: 'client_rules', metadata });
    expect(made).toMatchObject({ id: like(UUID), content: 'Be brief.', prefix: 'client_rules' });
    expect((await client.listBlocks()).map(({ id }) => id)).toContain(made.id);
    expect(await client.getBlock(made.id)).toEqual(made);
    const edited = await client.editBlock(made.id, { content: 'Be briefer.', metadata: { ...metadata, title: 'New' } });
    expect(edited).toMatchObject({ content: 'Be briefer.', metadata: { title: 'New' } });
    await client.deleteBlock(made.id);
    await expect(client.getBlock(made.id)).rejects.toThrow('Resource not found');
  });

  it('creates, lists, reads and changes agents', async () => {
    const made = await client.createAgent({ content: 'You help.', metadata: { ...metadata, title: 'Client agent' } });
    expect(made).toMatchObject({ id: like(UUID), content: 'You help.', prefix: 'client-agent' });
    expect((await client.listAgents()).map(({ id }) => id)).toEqual([made.id]);
    expect(await client.getAgent(made.id)).toEqual(made);
    const edited = await client.editAgent(made.id, { content: 'You help more.', metadata: { title: 'Renamed agent' } });
    expect(edited).toMatchObject({
      content: 'You help more.',
      prefix: 'client-agent',
      metadata: { title: 'Renamed agent', description: metadata.description, version: 2 },
    });
  });

  it('reads and renames its user', async () => {
    const { user } = (await client.fetchUserStatus()) as unknown as {
      user: { uuid: string; name: string; email: string; roles: string[] };
    };
    expect(user).toMatchObject({ uuid: app.author.id, name: 'Ada', email: 'ada@example.com' });
    expect(user.roles).toContain('admin');
    await client.editUser(user.uuid, { user: { name: 'Ada Lovelace' } } as never);
    expect(await client.fetchUserStatus()).toMatchObject({ user: { name: 'Ada Lovelace' } });
  });

  it('succeeds with every method in the tests above', () => {
    const internal = new Set(['constructor', 'request']);
    const methods = Object.getOwnPropertyNames(SystemPromptService.prototype).filter((name) => !internal.has(name));
    expect(methods).toHaveLength(15);
    expect([...succeeded].sort()).toEqual(methods.sort());
  });

  it('reports a wrong key as "Invalid API key" and invalid data as "Invalid data"', async () => {
    await expect(client.createPrompt({ ...newPrompt, metadata: 'none' } as never)).rejects.toThrow('Invalid data');
    SystemPromptService.initialize('wrong', `${app.url}/v1`);
    await expect(SystemPromptService.getInstance().getAllPrompts()).rejects.toThrow('Invalid API key');
  });
});

describe('systemprompt-mcp-interview', () => {
  /** Sends a request with the headers that version 1.0.14 of the client sends. */
  const send = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`${app.url}/v1${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'api-key': key,
        'Cache-Control': 'no-cache, no-store, must-revalidate',
        Pragma: 'no-cache',
        Expires: '0',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Block & Block[] };
  };
  let key: string;
  beforeAll(async () => {
    key = await app.issueKey();
  });

  it('stores the results of its tools as blocks, lists the blocks by their tags, and reads a block with a query that bypasses caches', async () => {
    const kept = async (kind: 'cv' | 'interview', content: object) => {
      const { status, body } = await send('POST', '/block', {
        content: JSON.stringify(content),
        prefix: `client_${kind}`,
        metadata: { title: `A ${kind}`, description: 'Made by a tool', tag: ['mcp_systemprompt_interview', kind] },
      });
      expect(status).toBe(201);
      return body.id;
    };
    const cv = await kept('cv', { personalInfo: {}, skills: {} });
    const interview = await kept('interview', { interviewId: '1', interviewPlan: {} });
    const listed = async (tags: string) => {
      const { status, body } = await send('GET', `/block?tag=${tags}`);
      expect(status).toBe(200);
      return body.map(({ id }) => id);
    };
    expect(await listed('mcp_systemprompt_interview')).toEqual([interview, cv]);
    expect(await listed('mcp_systemprompt_interview%2Ccv')).toEqual([cv]);
    expect(await listed('mcp_systemprompt_interview%2Cinterview')).toEqual([interview]);
    const { status, body } = await send('GET', `/block/${interview}?t=${Date.now()}`);
    expect({ status, content: body.content }).toEqual({
      status: 200,
      content: '{"interviewId":"1","interviewPlan":{}}',
    });
  });

  it('reads its user at GET /v1/user/mcp', async () => {
    expect((await send('GET', '/user/mcp')).status).toBe(200);
  });
});
