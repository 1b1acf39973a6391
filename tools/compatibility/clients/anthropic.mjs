// @ts-check
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import Anthropic, { AuthenticationError, BadRequestError } from '@anthropic-ai/sdk';

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ prompts, key, model, fetching, agent }) {
  const client = new Anthropic({ baseURL: prompts, apiKey: key, maxRetries: 0 });
  const user = (/** @type {string} */ content) => ({ role: /** @type {const} */ ('user'), content });
  const asked = { model, max_tokens: 100, messages: [user('Hello')] };
  const textOf = (/** @type {import('@anthropic-ai/sdk').Anthropic.Message} */ { content }) =>
    content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  return {
    'messages: answer': async () => {
      const message = await client.messages.create(asked);
      assert.match(textOf(message), /You wrote: Hello/);
      assert.equal(message.usage.output_tokens, 5);
    },
    'messages: stream': async () => {
      const stream = client.messages.stream(asked);
      assert.match(textOf(await stream.finalMessage()), /You wrote: Hello/);
    },
    'messages: tool': async () => {
      const tools = [
        {
          name: 'weather',
          input_schema: { type: /** @type {const} */ ('object'), properties: { city: { type: 'string' } } },
        },
      ];
      const messages = [user('the weather in Oslo?')];
      const first = await client.messages.create({ ...asked, tools, messages });
      const use = first.content.find(({ type }) => type === 'tool_use');
      assert(use?.type === 'tool_use');
      const result = { type: /** @type {const} */ ('tool_result'), tool_use_id: use.id, content: 'rain' };
      const second = await client.messages.create({
        ...{ ...asked, tools },
        messages: [...messages, { role: 'assistant', content: first.content }, { role: 'user', content: [result] }],
      });
      assert.match(textOf(second), /The tool answered: rain/);
    },
    'messages: image': async () => {
      const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
      const image = { type: /** @type {const} */ ('image'), source: { type: 'base64', media_type: 'image/png', data } };
      const content = [{ type: 'text', text: 'What is' }, image];
      const message = await client.messages.create(
        /** @type {import('@anthropic-ai/sdk').Anthropic.MessageCreateParamsNonStreaming} */ ({
          ...asked,
          messages: [{ role: 'user', content }],
        }),
      );
      assert.match(textOf(message), /What is \[an image\]/);
    },
    'messages: image by its address': async () => {
      const source = { type: /** @type {const} */ ('url'), url: 'https://example.com/mill.png' };
      const content = [
        { type: /** @type {const} */ ('text'), text: 'What is' },
        { type: /** @type {const} */ ('image'), source },
      ];
      const messages = [{ role: /** @type {const} */ ('user'), content }];
      const message = await client.messages.create({ ...asked, model: fetching, messages });
      assert.match(textOf(message), /What is \[the image at https:\/\/example.com\/mill.png\]/);
      await assert.rejects(client.messages.create({ ...asked, messages }), BadRequestError);
    },
    'messages: image of 5 MiB': async () => {
      const source = {
        type: /** @type {const} */ ('base64'),
        media_type: /** @type {const} */ ('image/jpeg'),
        data: 'A'.repeat(5 * 1_048_576),
      };
      const content = [{ type: /** @type {const} */ ('image'), source }];
      const message = await client.messages.create({ ...asked, messages: [{ role: 'user', content }] });
      assert.match(textOf(message), /\[an image\]/);
    },
    'messages: PDF': async () => {
      const source = {
        type: /** @type {const} */ ('base64'),
        media_type: /** @type {const} */ ('application/pdf'),
        data: await readFile(new URL('terms.pdf', import.meta.url), 'base64'),
      };
      const content = [
        { type: /** @type {const} */ ('document'), source, title: 'Terms' },
        { type: /** @type {const} */ ('text'), text: 'Sum up' },
      ];
      const message = await client.messages.create({ ...asked, messages: [{ role: 'user', content }] });
      assert.match(textOf(message), /File Terms:\s+Refunds are paid[^]*Sum up/);
    },
    'messages: agent as model': async () => {
      const message = await client.messages.create({ ...asked, model: `agent/${agent}` });
      assert.match(textOf(message), /You wrote: Hello/);
    },
    'models: list': async () => {
      const names = [];
      for await (const { id } of client.models.list()) names.push(id);
      assert(names.includes(model));
    },
    'errors: wrong key': async () => {
      await assert.rejects(
        new Anthropic({ baseURL: prompts, apiKey: 'mw_wrong' }).messages.create(asked),
        AuthenticationError,
      );
    },
  };
}
