// @ts-check
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import OpenAI, { AuthenticationError, BadRequestError } from 'openai';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const ADDRESS = 'https://example.com/mill.png';
const LARGE = `data:image/jpeg;base64,${'A'.repeat(5 * 1_048_576)}`;
const weather = {
  name: 'weather',
  description: 'The weather of a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const schema = {
  name: 'answer',
  strict: true,
  schema: {
    type: 'object',
    properties: { answer: { type: 'integer' } },
    required: ['answer'],
    additionalProperties: false,
  },
};

const pdfUrl = async () =>
  `data:application/pdf;base64,${await readFile(new URL('terms.pdf', import.meta.url), 'base64')}`;

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ prompts, key, model, fetching, prompt, agent }) {
  const client = new OpenAI({ baseURL: `${prompts}/v1`, apiKey: key, maxRetries: 0 });
  const user = (/** @type {string} */ content) => ({ role: /** @type {const} */ ('user'), content });
  return {
    'models: list, retrieve': async () => {
      const names = (await client.models.list()).data.map(({ id }) => id);
      for (const name of [model, `agent/${agent}`, `prompt/${prompt}`]) assert(names.includes(name), name);
      assert.equal((await client.models.retrieve(model)).id, model);
    },
    'chat: answer': async () => {
      const { choices, usage } = await client.chat.completions.create({ model, messages: [user('Hello')] });
      assert.match(choices[0]?.message.content ?? '', /You wrote: Hello/);
      assert.equal(usage?.total_tokens, 12);
    },
    'chat: stream with usage': async () => {
      const messages = [user('Hello')];
      const stream = await client.chat.completions.create({
        ...{ model, messages, stream: true, stream_options: { include_usage: true } },
      });
      let text = '';
      let total = 0;
      for await (const chunk of stream) {
        text += chunk.choices[0]?.delta.content ?? '';
        total = chunk.usage?.total_tokens ?? total;
      }
      assert.match(text, /You wrote: Hello/);
      assert.equal(total, 12);
    },
    'chat: tools by runTools': async () => {
      const runner = client.chat.completions.runTools({
        model,
        messages: [user('the weather in Oslo?')],
        tools: [{ type: 'function', function: { ...weather, function: () => 'rain', parse: JSON.parse } }],
      });
      assert.match((await runner.finalContent()) ?? '', /The tool answered: rain/);
    },
    'chat: JSON Schema': async () => {
      const { choices } = await client.chat.completions.parse({
        ...{ model, messages: [user('6 by 7?')], response_format: { type: 'json_schema', json_schema: schema } },
      });
      assert.deepEqual(choices[0]?.message.parsed, { answer: 42 });
    },
    'chat: image': async () => {
      const content = [
        { type: /** @type {const} */ ('text'), text: 'What is' },
        { type: /** @type {const} */ ('image_url'), image_url: { url: PIXEL } },
      ];
      const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
      assert.match(choices[0]?.message.content ?? '', /What is \[an image\]/);
    },
    'chat: image by its address': async () => {
      const content = [
        { type: /** @type {const} */ ('text'), text: 'What is' },
        { type: /** @type {const} */ ('image_url'), image_url: { url: ADDRESS } },
      ];
      const asked = { messages: [{ role: /** @type {const} */ ('user'), content }] };
      const { choices } = await client.chat.completions.create({ ...asked, model: fetching });
      assert.match(choices[0]?.message.content ?? '', /What is \[the image at https:\/\/example.com\/mill.png\]/);
      await assert.rejects(client.chat.completions.create({ ...asked, model }), BadRequestError);
    },
    'chat: image of 5 MiB': async () => {
      const content = [
        { type: /** @type {const} */ ('text'), text: 'What is' },
        { type: /** @type {const} */ ('image_url'), image_url: { url: LARGE } },
      ];
      const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
      assert.match(choices[0]?.message.content ?? '', /What is \[an image\]/);
    },
    'chat: PDF': async () => {
      const content = [
        { type: /** @type {const} */ ('text'), text: 'Sum up' },
        { type: /** @type {const} */ ('file'), file: { filename: 'terms.pdf', file_data: await pdfUrl() } },
      ];
      const { choices } = await client.chat.completions.create({ model, messages: [{ role: 'user', content }] });
      assert.match(choices[0]?.message.content ?? '', /Sum up\s+File terms.pdf:\s+Refunds are paid/);
    },
    'chat: agent as model': async () => {
      const answer = await client.chat.completions.create({ model: `agent/${agent}`, messages: [user('Hello')] });
      assert.match(answer.choices[0]?.message.content ?? '', /You wrote: Hello/);
    },
    'responses: answer': async () => {
      const { output_text, usage } = await client.responses.create({ model, input: 'Hello' });
      assert.match(output_text, /You wrote: Hello/);
      assert.equal(usage?.total_tokens, 12);
    },
    'responses: stored prompt': async () => {
      const use = { id: prompt, variables: { city: 'Paris' } };
      assert.match((await client.responses.create({ prompt: use, input: 'See?' })).output_text, /In Paris/);
    },
    'responses: stream': async () => {
      const stream = client.responses.stream({ model, input: 'Hello' });
      let text = '';
      for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
      assert.match(text, /You wrote: Hello/);
      assert.equal((await stream.finalResponse()).status, 'completed');
    },
    'responses: function tool': async () => {
      const tools = [{ type: /** @type {const} */ ('function'), ...weather, strict: true }];
      const first = await client.responses.create({ model, tools, input: 'the weather in Oslo?' });
      const call = first.output.find(({ type }) => type === 'function_call');
      assert(call?.type === 'function_call');
      const input = [{ type: /** @type {const} */ ('function_call_output'), call_id: call.call_id, output: 'rain' }];
      const second = await client.responses.create({ model, tools, input, previous_response_id: first.id });
      assert.match(second.output_text, /The tool answered: rain/);
    },
    'responses: tool of an MCP server, asked for and approved': async () => {
      /** @type {import('openai/resources/responses/responses').Tool.Mcp} */
      const tool = { type: 'mcp', server_label: 'platform', allowed_tools: ['current_time'] };
      const input = 'the weather now?';
      const free = await client.responses.create({ model, input, tools: [{ ...tool, require_approval: 'never' }] });
      const call = free.output.find(({ type }) => type === 'mcp_call');
      assert(call?.type === 'mcp_call' && call.output?.includes('weekday'));
      assert.match(free.output_text, /The tool answered: .*weekday/);
      const asked = await client.responses.create({ model, input, tools: [tool] });
      const requests = asked.output.flatMap((item) => (item.type === 'mcp_approval_request' ? [item.id] : []));
      assert.equal(requests.length, 1);
      const stream = client.responses.stream({
        ...{ model, tools: [tool], previous_response_id: asked.id },
        input: requests.map((id) => ({ type: 'mcp_approval_response', approval_request_id: id, approve: true })),
      });
      const types = [];
      for await (const { type } of stream) types.push(type);
      assert(types.includes('response.mcp_call.completed'));
      assert.match((await stream.finalResponse()).output_text, /The tool answered: .*weekday/);
    },
    'responses: JSON Schema': async () => {
      const format = { type: /** @type {const} */ ('json_schema'), ...schema };
      const { output_parsed } = await client.responses.parse({ model, input: '6 by 7?', text: { format } });
      assert.deepEqual(output_parsed, { answer: 42 });
    },
    'responses: image': async () => {
      const content = [
        { type: /** @type {const} */ ('input_text'), text: 'What is' },
        { type: /** @type {const} */ ('input_image'), image_url: PIXEL, detail: /** @type {const} */ ('auto') },
      ];
      const { output_text } = await client.responses.create({ model, input: [{ role: 'user', content }] });
      assert.match(output_text, /What is \[an image\]/);
    },
    'responses: image by its address': async () => {
      const content = [
        { type: /** @type {const} */ ('input_text'), text: 'What is' },
        { type: /** @type {const} */ ('input_image'), image_url: ADDRESS, detail: /** @type {const} */ ('auto') },
      ];
      const asked = { input: [{ role: /** @type {const} */ ('user'), content }] };
      const { output_text } = await client.responses.create({ ...asked, model: fetching });
      assert.match(output_text, /What is \[the image at https:\/\/example.com\/mill.png\]/);
      await assert.rejects(client.responses.create({ ...asked, model }), BadRequestError);
    },
    'responses: image of 5 MiB, kept in the conversation': async () => {
      const content = [
        { type: /** @type {const} */ ('input_image'), image_url: LARGE, detail: /** @type {const} */ ('auto') },
      ];
      const first = await client.responses.create({ model, input: [{ role: 'user', content }] });
      assert.match(first.output_text, /\[an image\]/);
      const next = await client.responses.create({ model, input: 'Sure?', previous_response_id: first.id });
      assert.match(next.output_text, /You wrote: Sure\?/);
    },
    'responses: PDF': async () => {
      const content = [
        { type: /** @type {const} */ ('input_text'), text: 'Sum up' },
        { type: /** @type {const} */ ('input_file'), filename: 'terms.pdf', file_data: await pdfUrl() },
      ];
      const { output_text } = await client.responses.create({ model, input: [{ role: 'user', content }] });
      assert.match(output_text, /Sum up\s+File terms.pdf:\s+Refunds are paid/);
    },
    'responses: files by id or address are refused by name': async () => {
      for (const part of [{ file_id: 'file_1' }, { file_url: 'https://example.com/terms.pdf' }]) {
        const content = [{ type: /** @type {const} */ ('input_file'), ...part }];
        const [name = ''] = Object.keys(part);
        await assert.rejects(client.responses.create({ model, input: [{ role: 'user', content }] }), (error) => {
          assert(error instanceof BadRequestError);
          assert.match(error.message, new RegExp(`${name}: is not supported`));
          return true;
        });
      }
    },
    'responses: previous_response_id': async () => {
      const first = await client.responses.create({ model, input: 'One' });
      const { output_text } = await client.responses.create({ model, input: 'Two', previous_response_id: first.id });
      assert.match(output_text, /2 before/);
    },
    'responses: retrieve, stream again, input_items, delete': async () => {
      const { id } = await client.responses.create({ model, input: 'Hello' });
      assert.match((await client.responses.retrieve(id)).output_text, /Hello/);
      const types = [];
      for await (const { type } of await client.responses.retrieve(id, { stream: true })) types.push(type);
      assert.equal(types.at(-1), 'response.completed');
      const items = [];
      for await (const item of client.responses.inputItems.list(id)) items.push(item);
      assert.equal(items.length, 1);
      await client.responses.delete(id);
      await assert.rejects(client.responses.retrieve(id), { status: 404 });
    },
    'responses: background, poll': async () => {
      let response = await client.responses.create({ model, input: 'Hello', background: true });
      for (let tries = 0; response.status === 'in_progress' && tries < 100; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        response = await client.responses.retrieve(response.id);
      }
      assert.equal(response.status, 'completed');
    },
    'responses: background, cancel': async () => {
      const { id } = await client.responses.create({ model, input: 'Think slowly', background: true });
      assert.equal((await client.responses.cancel(id)).status, 'cancelled');
    },
    'conversations: items, responses in it, delete': async () => {
      const items = [{ type: /** @type {const} */ ('message'), ...user('One') }];
      const { id } = await client.conversations.create({ items });
      const { output_text } = await client.responses.create({ model, input: 'Two', conversation: id });
      assert.match(output_text, /1 before/);
      const added = await client.conversations.items.create(id, { items });
      assert.equal(added.data.length, 1);
      const listed = [];
      for await (const item of client.conversations.items.list(id, { order: 'asc' })) listed.push(item);
      assert.equal(listed.length, 4);
      await client.conversations.delete(id);
      await assert.rejects(client.conversations.retrieve(id), { status: 404 });
    },
    'conversations: metadata, update': async () => {
      const { id } = await client.conversations.create({ metadata: { topic: 'mills' } });
      const updated = await client.conversations.update(id, { metadata: { topic: 'water' } });
      assert.deepEqual(updated.metadata, { topic: 'water' });
    },
    'embeddings: texts, dimensions, base64': async () => {
      const { data, usage } = await client.embeddings.create({ model, input: ['a mill', 'a boat'], dimensions: 4 });
      assert.deepEqual(
        data.map(({ embedding }) => embedding.length),
        [4, 4],
      );
      assert.equal(usage.prompt_tokens, 3);
    },
    'errors: wrong key, unknown field': async () => {
      const stranger = client.withOptions({ apiKey: 'mw_live_wrong' });
      await assert.rejects(stranger.models.list(), AuthenticationError);
      const unknown = { model, input: 'Hello', colour: 'blue' };
      await assert.rejects(client.responses.create(unknown), BadRequestError);
    },
  };
}
