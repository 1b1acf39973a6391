import { importOpenAi } from './import-openai.js';

describe("importing OpenAI's stored prompts", () => {
  it('imports instructions, system and developer messages as system text, and user messages as the message', () => {
    const { prompts, left } = importOpenAi({
      name: 'Reply',
      instructions: 'Be brief.',
      messages: [
        { role: 'system', content: 'Sign as {{ brand }}.' },
        { role: 'user', content: 'Answer {{question}}' },
      ],
    });
    expect(left).toEqual([]);
    expect(prompts).toMatchObject([
      {
        title: 'Reply',
        system: 'Be brief.\n\nSign as {{brand}}.',
        user: 'Answer {{question}}',
        input: { schema: { type: 'object', properties: { brand: { type: 'string' }, question: { type: 'string' } } } },
      },
    ]);
  });

  it('sets the message of the imported prompt to {{message}} when OpenAI has no user message', () => {
    expect(importOpenAi({ id: 'pmpt_1', instructions: 'Be brief.' }).prompts).toMatchObject([
      { title: 'pmpt_1', user: '{{message}}', description: "From OpenAI's pmpt_1" },
    ]);
  });

  it('imports a JSON schema as the output schema, and lists every field that is not imported', () => {
    const schema = { type: 'object', properties: { stars: { type: 'integer' } } };
    const { prompts, left } = importOpenAi({
      data: [
        { name: 'Rate', input: 'Rate it', text: { format: { type: 'json_schema', name: 'rating', schema } } },
        { name: 'Rate', input: 'Rate it', text: { format: { type: 'json_object' } }, temperature: 0.2 },
      ],
    });
    expect(prompts).toMatchObject([{ title: 'Rate', output: { name: 'rating', schema } }, { title: 'Rate 2' }]);
    expect(left).toEqual([
      { prompt: 'Rate 2', what: 'temperature' },
      { prompt: 'Rate 2', what: 'the text format json_object' },
    ]);
  });

  it.each([[null], [5], [{}], [[{ name: 'Empty' }]], [{ messages: 'text' }]])(
    'refuses %j, which contains no valid prompt',
    (value) => {
      expect(() => importOpenAi(value)).toThrow('no stored prompt');
    },
  );
});
