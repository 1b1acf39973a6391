import { createFakeModel, type FakeModel } from '@millwright/testing';
import { callers } from './harness/calls.js';
import { startPlatform, type Platform } from './harness/platform.js';

let model: FakeModel;
let platform: Platform;
let call: ReturnType<typeof callers>;

beforeAll(async () => {
  model = await createFakeModel();
  platform = await startPlatform({
    env: { MODEL_BASE_URL: model.url, MODEL_API_KEY: 'model-key', MODEL_NAME: 'house-model' },
  });
  call = callers(platform);
});

afterAll(async () => {
  await platform.stop();
  await model.close();
});

describe('a conversation with an agent that has a skill', () => {
  it('sends instructions, parameters and history to the model, and returns its answer', async () => {
    const skill = await call.platform<{ id: string }>('/skills', {
      body: {
        name: 'Plain words',
        description: 'Explains simply',
        instructions: 'Explain as to a neighbour.',
        parameters: { length: { type: 'string', enum: ['short', 'long'], default: 'short' } },
      },
    });
    expect(skill.status).toBe(201);
    const agent = await call.platform<{ id: string; slug: string }>('/agents', {
      body: { name: 'Guide', description: 'Helps newcomers', instructions: 'Be brief.', skill_ids: [skill.body.id] },
    });
    expect(agent.status).toBe(201);

    model.answerWith('A mill grinds grain.');
    const first = await call.runtime<{ content: string; context_id: string }>('/api/v1/agents/guide/messages', {
      body: { content: 'What is a mill?' },
    });
    expect(first.status).toBe(200);
    expect(first.body.content).toBe('A mill grinds grain.');

    model.answerWith('By water or wind.');
    const second = await call.runtime<{ content: string }>('/api/v1/agents/guide/messages', {
      body: { content: 'How is it driven?', context_id: first.body.context_id },
    });
    expect(second.body.content).toBe('By water or wind.');

    const asked = model.requests.at(-1);
    expect(asked?.body.model).toBe('house-model');
    expect(asked?.headers['authorization']).toBe('Bearer model-key');
    const [system, ...turns] = asked?.body.messages ?? [];
    expect(system?.role).toBe('system');
    for (const part of ['Be brief.', 'Explain as to a neighbour.', 'length: string, one of "short", "long"']) {
      expect(system?.content).toContain(part);
    }
    expect(turns).toEqual([
      { role: 'user', content: 'What is a mill?' },
      { role: 'assistant', content: 'A mill grinds grain.' },
      { role: 'user', content: 'How is it driven?' },
    ]);
  });
});

describe('a run of a prompt', () => {
  it('renders the prompt, validates the answer and stores the conversation', async () => {
    const prompt = await call.prompt<{ id: string; _link: string }>('/prompt', {
      body: {
        instruction: { static: 'You rate {{thing}}.', state: '', dynamic: '{{message}}' },
        input: {
          name: 'thing',
          description: '',
          type: 'structured_data',
          schema: { type: 'object', properties: { thing: { type: 'string' } }, required: ['thing'] },
        },
        output: {
          name: 'rating',
          description: '',
          type: 'structured_data',
          schema: { type: 'object', properties: { stars: { type: 'integer' } }, required: ['stars'] },
        },
        metadata: { title: 'Rate', description: 'Rates things', tag: ['demo'], log_message: 'first' },
      },
    });
    expect(prompt.status).toBe(201);
    const input = { message: 'How good?', structured_data: { thing: 'bread' } };

    const rendered = await call.prompt<{ data: { static: string; parsed_tokens: string[] } }>(
      `/prompt/${prompt.body.id}`,
      { body: input },
    );
    expect(rendered.body.data).toMatchObject({ static: 'You rate bread.', parsed_tokens: ['thing', 'message'] });

    model.answerWith('{"stars": 5}');
    const run = await call.prompt<{
      success: boolean;
      data: { structured_data: object; conversation: { id: string } };
    }>(`/prompt/${prompt.body.id}/openai`, { body: input });
    expect(run.body).toMatchObject({ success: true, data: { structured_data: { stars: 5 } } });
    const kept = await call.prompt<{ message: { role: string; content: string }[] }>(
      `/conversation/${run.body.data.conversation.id}`,
    );
    expect(kept.body.message.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'How good?'],
      ['assistant', '{"stars": 5}'],
    ]);
  });
});

describe('a model that is down', () => {
  it('leads to 503 with Retry-After in each envelope, and the message is stored', async () => {
    model.answerWith({ status: 500 });
    const context = await call.runtime<{ context_id: string }>('/api/v1/agents/guide/messages', {
      body: { content: 'Hello?' },
    });
    expect(context.status).toBe(503);
    expect(context.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(context.body).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    model.answerWith('Back again.');
  });
});

describe('logs', () => {
  it('contain no secret', () => {
    const written = platform.services.map((service) => service.output()).join('\n');
    expect(written).toContain('"route":"/api/v1/skills"');
    for (const secret of [platform.apiKey, platform.client.client_secret, 'model-key'])
      expect(written).not.toContain(secret);
  });
});

describe('the sign-in page', () => {
  it('is available through the gateway', async () => {
    const response = await fetch(`${platform.baseUrl}/admin/login`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/html');
  });
});
