import type { Definition, Prompt } from '../../api/prompt-records.js';
import { bodyOf, draftOf, EMPTY, schemaIn, valuesOf, withProperties } from './prompt-fields.js';

describe('the form of a prompt', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const definition: Definition = {
    id: '1',
    name: 'trip',
    description: 'Where',
    type: 'object',
    reference: [],
    schema: {},
  };
  const reference: Definition['reference'] = [{ uuid: 'a-b', link: '/v1/input/a-b', type: 'input' }];
  const prompt: Prompt = {
    id: '1',
    instruction: { static: 'S', state: '', dynamic: '{{city}}' },
    input: { ...definition, reference, schema },
    output: definition,
    model_parameters: { temperature: 0, stop: ['END'] },
    metadata: {
      title: ' Guide',
      description: 'Guides',
      tag: ['a'],
      log_message: 'Said before',
      created: '',
      updated: '',
      version: 3,
      status: 'draft',
      author: 'Ada',
    },
    _link: '/v1/prompt/1',
  };

  it('sends an unchanged prompt back with the same content, a trimmed title and an empty `log_message`', () => {
    const { title, description, tag, status } = prompt.metadata;
    expect(bodyOf(valuesOf(prompt))).toEqual({
      instruction: prompt.instruction,
      input: { name: 'trip', description: 'Where', reference: ['a-b'], schema },
      output: { name: 'trip', description: 'Where', reference: [], schema: {} },
      model_parameters: { temperature: 0, stop: ['END'] },
      metadata: { title: title.trim(), description, tag, status, log_message: '' },
    });
  });

  it('omits an invalid output schema from the draft, and returns no draft when the input schema is invalid', () => {
    const values = valuesOf(prompt);
    const withOutput = draftOf({ ...values, output: { ...values.output, schema: '{"type":' } });
    expect(withOutput).toEqual({
      instruction: prompt.instruction,
      input: { schema, reference: ['a-b'] },
      output: { schema: {}, reference: [] },
    });
    expect(draftOf({ ...values, input: { ...values.input, schema: '[]' } })).toBeUndefined();
  });

  it('starts a new prompt with {{message}} as the user message', () => {
    expect(draftOf(EMPTY)?.instruction).toEqual({ static: '', state: '', dynamic: '{{message}}' });
  });
});

describe('schemaIn', () => {
  it.each([
    ['', {}],
    [' \n', {}],
    ['{"a":1}', { a: 1 }],
  ])('parses the text %j as the schema %j', (text, schema) => expect(schemaIn(text)).toEqual(schema));

  it.each(['[]', 'null', '1', '{', '{"a":}'])('returns an error message for the text %j', (text) =>
    expect(schemaIn(text)).toMatch(/^(This has to be a JSON object\.|Invalid JSON: .+)$/),
  );
});

describe('withProperties', () => {
  it('adds string properties with the given names, and keeps the properties of the schema', () => {
    expect(withProperties({ required: ['a'], properties: { a: { type: 'integer' } } }, ['b'])).toEqual({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
    });
    expect(withProperties({}, ['b'])).toEqual({ type: 'object', properties: { b: { type: 'string' } } });
  });
});
