// @ts-check
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createMCPClient } from '@ai-sdk/mcp';
import { createOpenAI } from '@ai-sdk/openai';
import { embedMany, generateText, Output, stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ prompts, runtime, key, model: name, agent }) {
  const openai = createOpenAI({ baseURL: `${prompts}/v1`, apiKey: key });
  const anthropic = createAnthropic({ baseURL: `${prompts}/v1`, apiKey: key });
  const tools = {
    weather: tool({
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async () => 'rain',
    }),
  };
  const models = {
    'openai.responses': openai.responses(name),
    'openai.chat': openai.chat(name),
    anthropic: anthropic(name),
  };
  const perModel = Object.entries(models).flatMap(([from, model]) => [
    [
      `${from}: generateText`,
      async () => {
        const { text, usage } = await generateText({ model, prompt: 'Hello' });
        assert.match(text, /You wrote: Hello/);
        assert.equal(usage.outputTokens, 5);
      },
    ],
    [
      `${from}: streamText`,
      async () => {
        let text = '';
        for await (const delta of streamText({ model, prompt: 'Hello' }).textStream) text += delta;
        assert.match(text, /You wrote: Hello/);
      },
    ],
    [
      `${from}: tools over several steps`,
      async () => {
        const prompt = 'the weather in Oslo?';
        const { text } = await generateText({ model, tools, prompt, stopWhen: stepCountIs(3) });
        assert.match(text, /The tool answered: .*rain/);
      },
    ],
    [
      `${from}: Output.object`,
      async () => {
        const output = Output.object({ schema: z.object({ answer: z.number() }) });
        assert.deepEqual((await generateText({ model, prompt: '6 by 7?', output })).output, { answer: 42 });
      },
    ],
    [
      `${from}: image`,
      async () => {
        const content = [
          { type: /** @type {const} */ ('text'), text: 'What is' },
          { type: /** @type {const} */ ('file'), data: PIXEL, mediaType: 'image/png' },
        ];
        const { text } = await generateText({ model, messages: [{ role: 'user', content }] });
        assert.match(text, /What is \[an image\]/);
      },
    ],
    [
      `${from}: PDF`,
      async () => {
        const data = await readFile(new URL('terms.pdf', import.meta.url));
        const content = [
          { type: /** @type {const} */ ('text'), text: 'Sum up' },
          { type: /** @type {const} */ ('file'), data, mediaType: 'application/pdf', filename: 'terms.pdf' },
        ];
        const { text } = await generateText({ model, messages: [{ role: 'user', content }] });
        assert.match(text, /Sum up\s+File terms.pdf:\s+Refunds are paid/);
      },
    ],
    [
      `${from}: history of messages`,
      async () => {
        const first = await generateText({ model, prompt: 'One' });
        const messages = [
          { role: /** @type {const} */ ('user'), content: 'One' },
          ...first.response.messages,
          { role: /** @type {const} */ ('user'), content: 'Two' },
        ];
        assert.match((await generateText({ model, messages })).text, /2 before/);
      },
    ],
  ]);
  return {
    ...Object.fromEntries(perModel),
    'openai.embedding: embedMany': async () => {
      const { embeddings } = await embedMany({ model: openai.embedding(name), values: ['a mill', 'a boat'] });
      assert.deepEqual(
        embeddings.map(({ length }) => length),
        [8, 8],
      );
    },
    '@ai-sdk/mcp: tools of the server `platform`, used by a model': async () => {
      const url = `${runtime}/api/v1/mcp/platform/mcp`;
      const client = await createMCPClient({
        transport: { type: 'http', url, headers: { Authorization: `Bearer ${key}` } },
      });
      const listed = await client.tools();
      const ask = `ask_${agent}`;
      assert(listed[ask], Object.keys(listed).join());
      const answer = await listed[ask].execute(
        { content: 'Hello' },
        { toolCallId: '1', messages: [], context: undefined },
      );
      assert.match(JSON.stringify(answer), /You wrote: Hello/);
      const { text } = await generateText({ model: models['openai.responses'], tools: listed, prompt: 'Hello' });
      assert.match(text, /You wrote: Hello/);
      await client.close();
    },
  };
}
