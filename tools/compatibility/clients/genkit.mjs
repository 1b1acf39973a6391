// @ts-check
import assert from 'node:assert/strict';
import { compatOaiModelRef, defineCompatOpenAIModel, openAICompatible } from '@genkit-ai/compat-oai';
import { genkit, z } from 'genkit';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ prompts, key, model: name, agent }) {
  const refOf = (/** @type {string} */ model) =>
    compatOaiModelRef({
      name: `millwright/${model}`,
      info: { supports: { tools: true, media: true, output: ['text', 'json'] } },
    });
  const plugin = openAICompatible({
    name: 'millwright',
    apiKey: key,
    baseURL: `${prompts}/v1`,
    initializer: async (client) =>
      [name, `agent/${agent}`].map((model) => {
        const modelRef = refOf(model);
        return defineCompatOpenAIModel({
          name: modelRef.name,
          client,
          modelRef,
          pluginOptions: { name: 'millwright' },
        });
      }),
  });
  const ai = genkit({ plugins: [plugin], model: refOf(name) });
  const weather = ai.defineTool(
    {
      name: 'weather',
      description: 'The weather of a city',
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.string(),
    },
    async () => 'rain',
  );
  return Object.fromEntries([
    [
      'compat-oai: generate, stream',
      async () => {
        assert.match((await ai.generate('Hello')).text, /You wrote: Hello/);
        const { stream } = ai.generateStream('Hello');
        let text = '';
        for await (const chunk of stream) text += chunk.text;
        assert.match(text, /You wrote: Hello/);
      },
    ],
    [
      'compat-oai: tool',
      async () => {
        const { text } = await ai.generate({ prompt: 'the weather in Oslo?', tools: [weather] });
        assert.match(text, /The tool answered: .*rain/);
      },
    ],
    [
      'compat-oai: image',
      async () => {
        const { text } = await ai.generate({ prompt: [{ text: 'What is' }, { media: { url: PIXEL } }] });
        assert.match(text, /What is \[an image\]/);
      },
    ],
    [
      'compat-oai: agent as model',
      async () =>
        assert.match((await ai.generate({ model: refOf(`agent/${agent}`), prompt: 'Hello' })).text, /You wrote: Hello/),
    ],
  ]);
}
