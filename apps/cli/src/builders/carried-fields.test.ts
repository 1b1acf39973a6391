import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { bodyOf, fileOf, Prompt } from '../installation/prompt-files.js';

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  enum?: string[];
  format?: string;
}

const document = JSON.parse(readFileSync(new URL('../../../../docs/openapi/prompt.json', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, Schema> };
};

const ID = '018f0000-0000-7000-8000-000000000000';

/** Returns a value that matches the schema. The value differs from the value that a missing field stands for. */
function sampleOf({ type, properties, items, anyOf, enum: values, format }: Schema): unknown {
  if (values) return values.at(-1);
  if (anyOf?.[0]) return sampleOf(anyOf[0]);
  if (properties)
    return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]));
  if (type === 'array' && items) return [sampleOf(items)];
  if (type === 'object') return { type: 'object', title: 'Sample' };
  if (type === 'number' || type === 'integer') return 1;
  return format === 'uuid' ? ID : 'sample';
}

type Body = Record<'instruction' | 'input' | 'output' | 'model_parameters' | 'metadata', Record<string, unknown>>;

const { NewPrompt = {} } = document.components.schemas;
const whole = sampleOf(NewPrompt) as Body;
/** A prompt with every field, as the prompt API returns it. */
const stored = Prompt.parse({
  id: ID,
  ...whole,
  input: { ...whole.input, id: ID, reference: [{ uuid: ID, link: `/v1/input/${ID}`, type: 'input' }] },
  output: { ...whole.output, id: ID, reference: [{ uuid: ID, link: `/v1/output/${ID}`, type: 'output' }] },
  metadata: { ...whole.metadata, version: 3, updated: '2026-03-02T09:30:00.000Z' },
});

/** Every field except `log_message`, which a push sets by --message. */
const fields = Object.entries(whole).flatMap(([part, members]) =>
  Object.keys(members)
    .filter((name) => name !== 'log_message')
    .map((name): [string, string] => [part, name]),
);

describe('prompts pull, then prompts push', () => {
  it("are tested with all fields of a prompt in the prompt API's OpenAPI document", () => {
    expect(fields.length).toBeGreaterThanOrEqual(20);
    expect(fields).toContainEqual(['model_parameters', 'temperature']);
  });

  it.each(fields)('preserves the field %s.%s', (part, name) => {
    const file = parse(stringify(fileOf(stored))) as ReturnType<typeof fileOf>;
    const sent = bodyOf(file, undefined) as unknown as Body;
    expect(sent[part as keyof Body][name]).toEqual(whole[part as keyof Body][name]);
  });

  it('sends no parameters and no references for a prompt whose file has neither', () => {
    const { id, title, system } = fileOf(stored);
    const sent = bodyOf({ id, title, system }, undefined);
    expect(sent).not.toHaveProperty('model_parameters');
    expect(sent.input).not.toHaveProperty('reference');
  });
});
