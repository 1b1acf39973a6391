// @ts-check
import assert from 'node:assert/strict';
import { tool } from '@llamaindex/core/tools';
import { openai, OpenAIEmbedding, openaiResponses } from '@llamaindex/openai';
import { mcp } from '@llamaindex/tools';
import { agent as agentOf, agentStreamEvent } from '@llamaindex/workflow';
import { z } from 'zod';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ prompts, runtime, key, model: name, agent }) {
  const common = { model: name, apiKey: key, baseURL: `${prompts}/v1`, maxRetries: 0 };
  const models = { openai: openai(common), openaiResponses: openaiResponses(common) };
  const weather = tool({
    name: 'weather',
    description: 'The weather of a city',
    parameters: z.object({ city: z.string() }),
    execute: () => 'rain',
  });
  const user = (/** @type {string} */ content) => ({ role: /** @type {const} */ ('user'), content });
  const perModel = Object.entries(models).flatMap(([by, llm]) => [
    [
      `${by}: chat, stream`,
      async () => {
        const messages = [user('Hello')];
        assert.match(JSON.stringify((await llm.chat({ messages })).message.content), /You wrote: Hello/);
        let text = '';
        for await (const { delta } of await llm.chat({ messages, stream: true })) text += delta;
        assert.match(text, /You wrote: Hello/);
      },
    ],
    [
      `${by}: agent with a tool, stream`,
      async () => {
        const helper = agentOf({ llm, tools: [weather], systemPrompt: 'Be short.' });
        assert.match(String((await helper.run('the weather in Oslo?')).data.result), /The tool answered: rain/);
        let text = '';
        for await (const event of helper.runStream('the weather in Oslo?'))
          if (agentStreamEvent.include(event)) text += event.data.delta;
        assert.match(text, /The tool answered: rain/);
      },
    ],
    [
      `${by}: image`,
      async () => {
        const content = [
          { type: /** @type {const} */ ('text'), text: 'What is' },
          { type: /** @type {const} */ ('image_url'), image_url: { url: PIXEL } },
        ];
        const { message } = await llm.chat({ messages: [{ role: 'user', content }] });
        assert.match(JSON.stringify(message.content), /What is \[an image\]/);
      },
    ],
  ]);
  return {
    ...Object.fromEntries(perModel),
    // openaiResponses sends no responseFormat.
    'openai: responseFormat': async () => {
      const format = { messages: [user('6 by 7?')], responseFormat: z.object({ answer: z.number() }) };
      assert.deepEqual(JSON.parse(String((await models.openai.chat(format)).message.content)), { answer: 42 });
    },
    'OpenAIEmbedding: getTextEmbeddings': async () => {
      const vectors = await new OpenAIEmbedding(common).getTextEmbeddings(['a mill', 'a boat']);
      assert.deepEqual(
        vectors.map(({ length }) => length),
        [8, 8],
      );
    },
    'mcp(): tools of the server `platform`, used by an agent': async () => {
      const server = mcp({
        url: `${runtime}/api/v1/mcp/platform/mcp`,
        requestInit: { headers: { Authorization: `Bearer ${key}` } },
      });
      const tools = await server.tools();
      const ask = tools.find((one) => one.metadata.name === `ask_${agent}`);
      assert.match(JSON.stringify(await ask?.call({ content: 'Hello' })), /You wrote: Hello/);
      const helper = agentOf({ llm: models.openai, tools });
      assert.match(String((await helper.run('Hello')).data.result), /You wrote: Hello/);
      await server.cleanup();
    },
  };
}
