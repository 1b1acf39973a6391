// @ts-check
import assert from 'node:assert/strict';
import {
  Agent,
  MCPServerStreamableHttp,
  OpenAIChatCompletionsModel,
  OpenAIConversationsSession,
  OpenAIResponsesModel,
  run,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

setTracingDisabled(true);

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ prompts, runtime, key, model: name, prompt, agent }) {
  const client = /** @type {any} */ (new OpenAI({ baseURL: `${prompts}/v1`, apiKey: key, maxRetries: 0 }));
  const models = {
    responses: new OpenAIResponsesModel(client, name),
    'chat completions': new OpenAIChatCompletionsModel(client, name),
  };
  const weather = tool({
    name: 'weather',
    description: 'The weather of a city',
    parameters: z.object({ city: z.string() }),
    execute: async () => 'rain',
  });
  const perModel = Object.entries(models).flatMap(([by, model]) => [
    [
      `by ${by}: run, stream`,
      async () => {
        const helper = new Agent({ name: 'Helper', instructions: 'Be short.', model });
        assert.match((await run(helper, 'Hello')).finalOutput ?? '', /You wrote: Hello/);
        const streamed = await run(helper, 'Hello', { stream: true });
        let text = '';
        for await (const part of streamed.toTextStream()) text += part;
        assert.match(text, /You wrote: Hello/);
      },
    ],
    [
      `by ${by}: function tool`,
      async () => {
        const helper = new Agent({ name: 'Helper', model, tools: [weather] });
        assert.match((await run(helper, 'the weather in Oslo?')).finalOutput ?? '', /The tool answered: .*rain/);
      },
    ],
    [
      `by ${by}: image`,
      async () => {
        const content = [
          { type: /** @type {const} */ ('input_text'), text: 'What is' },
          { type: /** @type {const} */ ('input_image'), image: PIXEL },
        ];
        const helper = new Agent({ name: 'Helper', model });
        const { finalOutput } = await run(helper, [{ role: /** @type {const} */ ('user'), content }]);
        assert.match(finalOutput ?? '', /What is \[an image\]/);
      },
    ],
    [
      `by ${by}: outputType`,
      async () => {
        const helper = new Agent({ name: 'Helper', model, outputType: z.object({ answer: z.number() }) });
        assert.deepEqual((await run(helper, '6 by 7?')).finalOutput, { answer: 42 });
      },
    ],
  ]);
  return {
    ...Object.fromEntries(perModel),
    'stored prompt': async () => {
      const use = { promptId: prompt, variables: { city: 'Paris' } };
      const helper = new Agent({ name: 'Helper', model: models.responses, prompt: use });
      assert.match((await run(helper, 'See?')).finalOutput ?? '', /In Paris/);
    },
    previousResponseId: async () => {
      const helper = new Agent({ name: 'Helper', model: models.responses });
      const first = await run(helper, 'One');
      const second = await run(helper, 'Two', { previousResponseId: first.lastResponseId });
      assert.match(second.finalOutput ?? '', /2 before/);
    },
    OpenAIConversationsSession: async () => {
      const helper = new Agent({ name: 'Helper', model: models.responses });
      const session = new OpenAIConversationsSession({ client });
      await run(helper, 'One', { session });
      assert.match((await run(helper, 'Two', { session })).finalOutput ?? '', /2 before/);
      assert.equal((await session.getItems()).length, 4);
      await session.clearSession();
    },
    'OpenAIConversationsSession: popItem': async () => {
      const session = new OpenAIConversationsSession({ client });
      await run(new Agent({ name: 'Helper', model: models.responses }), 'One', { session });
      await session.popItem();
      assert.equal((await session.getItems()).length, 1);
    },
    'MCPServerStreamableHttp: tools of the server `platform`': async () => {
      const server = new MCPServerStreamableHttp({
        url: `${runtime}/api/v1/mcp/platform/mcp`,
        name: 'platform',
        requestInit: { headers: { Authorization: `Bearer ${key}` } },
      });
      await server.connect();
      const helper = new Agent({ name: 'Helper', model: models.responses, mcpServers: [server] });
      assert.match((await run(helper, 'Hello')).finalOutput ?? '', /You wrote: Hello/);
      const answer = await server.callTool(`ask_${agent}`, { content: 'Hello' });
      assert.match(JSON.stringify(answer), /You wrote: Hello/);
      await server.close();
    },
  };
}
