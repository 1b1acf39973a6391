import { z } from 'zod';
import type { Api } from '../http/api.js';
import { Prompt } from '../builders/prompt-files.js';
import { listAll, type Fields, type Kind } from './kind.js';

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

/** What the prompt API gets; a change is made over the version that was read. */
function bodyOf(fields: Fields, version: number | undefined): Fields {
  const { title, description, tags, status, system, context, user, input, output, model_parameters } =
    promptSchema.parse(fields);
  return {
    instruction: { static: system, state: context, dynamic: user },
    input,
    output,
    model_parameters,
    metadata: { title, description, tag: tags, status, ...(version !== undefined && { version }) },
  };
}

const remove = async (api: Api, path: string, id: string) => {
  await api.open('prompt', `${path}/${encodeURIComponent(id)}`, { method: 'DELETE' });
};

export const prompts: Kind = {
  name: 'prompt',
  folder: 'prompts',
  key: 'title',
  schema: promptSchema,
  list: async (api) =>
    (await listAll(api, 'prompt', '/v1/prompt', Prompt)).map(
      ({ id, instruction, input, output, model_parameters, metadata }) => ({
        id,
        version: metadata.version,
        fields: promptSchema.parse({
          ...{ title: metadata.title, description: metadata.description, tags: metadata.tag, status: metadata.status },
          ...{ system: instruction.static, context: instruction.state, user: instruction.dynamic },
          ...{ input: partOf(input), output: partOf(output), model_parameters },
        }),
      }),
    ),
  create: async (api, fields) =>
    (await api.json('prompt', '/v1/prompt', Prompt, { method: 'POST', body: bodyOf(fields, undefined) })).id,
  async update(api, { id, version }, fields) {
    const path = `/v1/prompt/${encodeURIComponent(id)}`;
    await api.json('prompt', path, Prompt, { method: 'PUT', body: bodyOf(fields, version) });
  },
  remove: (api, { id }) => remove(api, '/v1/prompt', id),
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

function blockBody(fields: Fields, version?: number): Fields {
  const { prefix, content, title, description, tags, status } = blockSchema.parse(fields);
  const metadata = { title, description, tag: tags, status, ...(version !== undefined && { version }) };
  return { prefix, content, metadata };
}

export const blocks: Kind = {
  name: 'block',
  folder: 'blocks',
  textField: 'content',
  key: 'prefix',
  schema: blockSchema,
  list: async (api) =>
    (await listAll(api, 'prompt', '/v1/block', Block)).map(({ id, prefix, content, metadata }) => ({
      id,
      version: metadata.version,
      fields: blockSchema.parse({
        ...{ prefix, content, tags: metadata.tag, status: metadata.status },
        ...{ title: metadata.title, description: metadata.description },
      }),
    })),
  create: async (api, fields) =>
    (await api.json('prompt', '/v1/block', Block, { method: 'POST', body: blockBody(fields) })).id,
  async update(api, { id, version }, fields) {
    const path = `/v1/block/${encodeURIComponent(id)}`;
    await api.json('prompt', path, Block, { method: 'PUT', body: blockBody(fields, version) });
  },
  remove: (api, { id }) => remove(api, '/v1/block', id),
};
