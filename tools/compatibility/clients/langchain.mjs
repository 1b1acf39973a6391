// @ts-check
import assert from 'node:assert/strict';
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { z } from 'zod';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ prompts, runtime, key, model: name, agent }) {
  const configuration = { baseURL: `${prompts}/v1` };
  const common = { model: name, apiKey: key, configuration, maxRetries: 0 };
  const models = {
    'ChatOpenAI by chat completions': new ChatOpenAI(common),
    'ChatOpenAI by responses': new ChatOpenAI({ ...common, useResponsesApi: true }),
  };
  const weather = tool(async () => 'rain', {
    name: 'weather',
    description: 'The weather of a city',
    schema: z.object({ city: z.string() }),
  });
  const perModel = Object.entries(models).flatMap(([from, model]) => [
    [
      `${from}: invoke, stream`,
      async () => {
        assert.match((await model.invoke('Hello')).text, /You wrote: Hello/);
        let text = '';
        for await (const chunk of await model.stream('Hello')) text += chunk.text;
        assert.match(text, /You wrote: Hello/);
      },
    ],
    [
      `${from}: bindTools`,
      async () => {
        const bound = model.bindTools([weather]);
        const asked = new HumanMessage('the weather in Oslo?');
        const first = await bound.invoke([asked]);
        const call = first.tool_calls?.[0];
        assert.deepEqual(call?.args, { city: 'Oslo' });
        const output = new ToolMessage({ content: 'rain', tool_call_id: call?.id ?? '' });
        assert.match((await bound.invoke([asked, first, output])).text, /The tool answered: rain/);
      },
    ],
    [
      `${from}: image`,
      async () => {
        const content = [
          { type: 'text', text: 'What is' },
          { type: 'image_url', image_url: { url: PIXEL } },
        ];
        assert.match((await model.invoke([new HumanMessage({ content })])).text, /What is \[an image\]/);
      },
    ],
    [
      `${from}: withStructuredOutput`,
      async () => {
        const structured = model.withStructuredOutput(z.object({ answer: z.number() }), { method: 'jsonSchema' });
        assert.deepEqual(await structured.invoke('6 by 7?'), { answer: 42 });
      },
    ],
  ]);
  return {
    ...Object.fromEntries(perModel),
    'OpenAIEmbeddings: embedDocuments': async () => {
      const vectors = await new OpenAIEmbeddings(common).embedDocuments(['a mill', 'a boat']);
      assert.deepEqual(
        vectors.map(({ length }) => length),
        [8, 8],
      );
    },
    '@langchain/mcp-adapters: tools of the server `platform`': async () => {
      const url = `${runtime}/api/v1/mcp/platform/mcp`;
      const client = new MultiServerMCPClient({
        platform: { transport: 'http', url, headers: { Authorization: `Bearer ${key}` } },
      });
      const ask = (await client.getTools()).find(({ name: tool }) => tool.endsWith(`ask_${agent}`));
      assert.match(JSON.stringify(await ask?.invoke({ content: 'Hello' })), /You wrote: Hello/);
      await client.close();
    },
  };
}
