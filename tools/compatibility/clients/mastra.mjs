// @ts-check
import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { MCPClient } from '@mastra/mcp';
import { z } from 'zod';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ prompts, runtime, key, model: name, agent }) {
  const common = { providerId: 'millwright', modelId: name, url: `${prompts}/v1`, apiKey: key };
  const models = {
    'chat completions': common,
    responses: { ...common, api: /** @type {const} */ ('responses') },
  };
  const weather = createTool({
    id: 'weather',
    description: 'The weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: async () => 'rain',
  });
  const helperOf = (/** @type {object} */ fields) =>
    new Agent({ id: 'helper', name: 'Helper', instructions: 'Be short.', .../** @type {any} */ (fields) });
  const perModel = Object.entries(models).flatMap(([by, model]) => [
    [
      `by ${by}: generate, stream`,
      async () => {
        const helper = helperOf({ model });
        assert.match((await helper.generate('Hello')).text, /You wrote: Hello/);
        let text = '';
        for await (const part of (await helper.stream('Hello')).textStream) text += part;
        assert.match(text, /You wrote: Hello/);
      },
    ],
    [
      `by ${by}: tool`,
      async () => {
        const helper = helperOf({ model, tools: { weather } });
        assert.match((await helper.generate('the weather in Oslo?')).text, /The tool answered: .*rain/);
      },
    ],
    [
      `by ${by}: image`,
      async () => {
        const content = [
          { type: /** @type {const} */ ('text'), text: 'What is' },
          { type: /** @type {const} */ ('image'), image: PIXEL, mimeType: 'image/png' },
        ];
        const { text } = await helperOf({ model }).generate([{ role: 'user', content }]);
        assert.match(text, /What is \[an image\]/);
      },
    ],
    [
      `by ${by}: structuredOutput`,
      async () => {
        const structuredOutput = { schema: z.object({ answer: z.number() }) };
        assert.deepEqual((await helperOf({ model }).generate('6 by 7?', { structuredOutput })).object, { answer: 42 });
      },
    ],
  ]);
  return {
    ...Object.fromEntries(perModel),
    'by chat completions: agent as model': async () => {
      const helper = helperOf({ model: { ...common, modelId: `agent/${agent}` } });
      assert.match((await helper.generate('Hello')).text, /You wrote: Be short\.\s+Hello/);
    },
    'MCPClient: tools, resources and prompts of the server `platform`': async () => {
      const client = new MCPClient({
        servers: {
          platform: {
            url: new URL(`${runtime}/api/v1/mcp/platform/mcp`),
            requestInit: { headers: { Authorization: `Bearer ${key}` } },
          },
        },
      });
      const tools = await client.listTools();
      const ask = tools[`platform_ask_${agent}`];
      assert(ask?.execute, Object.keys(tools).join());
      assert.match(JSON.stringify(await ask.execute({ content: 'Hello' }, {})), /You wrote: Hello/);
      await client.resources.list();
      await client.prompts.list();
      const helper = helperOf({ model: common, tools });
      assert.match((await helper.generate('Hello')).text, /You wrote: Hello/);
      await client.disconnect();
    },
  };
}
