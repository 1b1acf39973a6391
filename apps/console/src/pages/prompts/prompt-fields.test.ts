import type { Prompt } from '../../api/prompt-records.js';
import { bodyOf, draftOf, EMPTY, schemaIn, valuesOf, withProperties } from './prompt-fields.js';

describe('a prompt in its form', () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const reference = [{ uuid: 'a-b', link: '/v1/input/a-b', type: 'input' }];
  const definition = { id: '1', name: 'trip', description: 'Where', reference: [], schema: {} };
  const prompt: Prompt = {
    id: '1',
    instruction: { static: 'S', state: '', dynamic: '{{city}}' },
    input: { ...definition, reference, schema },
    output: definition,
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
  };

  it('is sent as it was read, but for why it is saved', () => {
    const { title, description, tag, status } = prompt.metadata;
    expect(bodyOf(valuesOf(prompt))).toEqual({
      instruction: prompt.instruction,
      input: { name: 'trip', description: 'Where', reference: ['a-b'], schema },
      output: { name: 'trip', description: 'Where', reference: [], schema: {} },
      metadata: { title: title.trim(), description, tag, status, log_message: '' },
    });
  });

  it('is looked into without its output while that is no JSON, and not at all while nobody knows its input', () => {
    const values = valuesOf(prompt);
    const withOutput = draftOf({ ...values, output: { ...values.output, schema: '{"type":' } });
    expect(withOutput).toEqual({
      instruction: prompt.instruction,
      input: { schema, reference: ['a-b'] },
      output: { schema: {}, reference: [] },
    });
    expect(draftOf({ ...values, input: { ...values.input, schema: '[]' } })).toBeUndefined();
  });

  it('begins with what a run says', () => {
    expect(draftOf(EMPTY)?.instruction).toEqual({ static: '', state: '', dynamic: '{{message}}' });
  });
});

describe('a schema in a text', () => {
  it.each([
    ['', {}],
    [' \n', {}],
    ['{"a":1}', { a: 1 }],
  ])('%j is %j', (text, schema) => expect(schemaIn(text)).toEqual(schema));

  it.each(['[]', 'null', '1', '{', '{"a":}'])('%j is none, and says why', (text) =>
    expect(schemaIn(text)).toMatch(/^This (has to be a JSON object\.|is no JSON yet: .+)$/),
  );
});

describe('names that become inputs', () => {
  it('stand beside what the schema has', () => {
    expect(withProperties({ required: ['a'], properties: { a: { type: 'integer' } } }, ['b'])).toEqual({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer' }, b: { type: 'string' } },
    });
    expect(withProperties({}, ['b'])).toEqual({ type: 'object', properties: { b: { type: 'string' } } });
  });
});
