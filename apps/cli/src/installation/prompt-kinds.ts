import { z } from 'zod';
import { Prompt } from './prompt-files.js';
import { listAll, readOne, type Fields, type Kind } from './kind.js';

const texts = z.array(z.string()).default([]);
const Status = z.enum(['draft', 'published', 'archived']).default('published');
const Part = z.strictObject({
  name: z.string().default(''),
  description: z.string().default(''),
  type: z.union([z.string(), z.array(z.string())]).default('structured_data'),
  schema: z.record(z.string(), z.unknown()).default({}),
});
const NO_PART = { name: '', description: '', type: 'structured_data', schema: {} };

const promptSchema = z.strictObject({
  title: z.string().min(1),
  description: z.string().default(''),
  tags: texts,
  status: Status,
  system: z.string().default(''),
  context: z.string().default(''),
  user: z.string().default(''),
  input: Part.default(NO_PART),
  output: Part.default(NO_PART),
  model_parameters: z.record(z.string(), z.unknown()).default({}),
});

const partOf = ({ name, description, type, schema }: z.output<typeof Prompt>['input']) => ({
  ...{ name, description, type, schema: schema ?? {} },
});

function promptBody(fields: Fields): Fields {
  const { title, description, tags, status, system, context, user, input, output, model_parameters } =
    promptSchema.parse(fields);
  return {
    instruction: { static: system, state: context, dynamic: user },
    input,
    output,
    model_parameters,
    metadata: { title, description, tag: tags, status },
  };
}

function promptFields(record: unknown): Fields {
  const { instruction, input, output, model_parameters, metadata } = Prompt.parse(record);
  return promptSchema.parse({
    ...{ title: metadata.title, description: metadata.description, tags: metadata.tag, status: metadata.status },
    ...{ system: instruction.static, context: instruction.state, user: instruction.dynamic },
    ...{ input: partOf(input), output: partOf(output), model_parameters },
  });
}

const Record = z.looseObject({ id: z.string() });

/** Makes a kind of record of the prompt API; `path` is the path of its list. */
function promptKind(
  path: string,
  fieldsOf: (record: unknown) => Fields,
  bodyOf: (fields: Fields) => Fields,
): Pick<Kind, 'service' | 'list' | 'read' | 'bodyOf'> {
  return {
    service: 'prompt',
    bodyOf,
    list: async (api) =>
      (await listAll(api, 'prompt', path, Record)).map((record) => ({ id: record.id, fields: fieldsOf(record) })),
    async read(api, id) {
      const { record, etag } = await readOne(api, 'prompt', `${path}/${encodeURIComponent(id)}`);
      return { fields: fieldsOf(record), etag };
    },
  };
}

export const prompts: Kind = {
  ...promptKind('/v1/prompt', promptFields, promptBody),
  name: 'prompt',
  changeKind: 'prompt',
  folder: 'prompts',
  key: 'title',
  schema: promptSchema,
};

const Block = z.looseObject({
  id: z.string(),
  prefix: z.string(),
  content: z.string(),
  metadata: z.looseObject({
    title: z.string(),
    description: z.string(),
    tag: z.array(z.string()),
    status: z.string(),
    version: z.number(),
  }),
});
const blockSchema = z.strictObject({
  prefix: z.string().min(1),
  title: z.string().default(''),
  description: z.string().default(''),
  tags: texts,
  status: Status,
  content: z.string().default(''),
});

function blockFields(record: unknown): Fields {
  const { prefix, content, metadata } = Block.parse(record);
  const { title, description, tag: tags, status } = metadata;
  return blockSchema.parse({ prefix, content, title, description, tags, status });
}

function blockBody(fields: Fields): Fields {
  const { prefix, content, title, description, tags, status } = blockSchema.parse(fields);
  return { prefix, content, metadata: { title, description, tag: tags, status } };
}

export const blocks: Kind = {
  ...promptKind('/v1/block', blockFields, blockBody),
  name: 'block',
  changeKind: 'block',
  folder: 'blocks',
  textField: 'content',
  key: 'prefix',
  schema: blockSchema,
};
