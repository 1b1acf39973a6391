import { z } from 'zod';
import type { Api } from '../http/api.js';
import { idOf, keyOf, listAll, type Context, type Fields, type Kind, type Stored } from './kind.js';
import { isSameBesideSecrets, placeholders, resolveSecrets } from './secrets.js';

const Record = z.looseObject({ id: z.string() });
const texts = z.array(z.string()).default([]);
const Status = z.enum(['active', 'inactive']).default('active');

/** The fields of a schema from a record of the API. A server that cannot be reached is one that is in use. */
const picked = (schema: Kind['schema'], record: Fields): Fields =>
  schema.parse({
    ...Object.fromEntries(Object.keys(schema.shape).map((name) => [name, record[name]])),
    ...(schema.shape['status'] && { status: record['status'] === 'inactive' ? 'inactive' : 'active' }),
  });

/** What a kind of the platform API sends; `status` is no field of a new record. */
interface PlatformKind extends Omit<Kind, 'list' | 'create' | 'update' | 'remove'> {
  path: string;
  toFields?: (record: Fields, context: Context) => Fields;
  toBody?: (fields: Fields, context: Context, stored: Stored | undefined) => Fields;
}

function platformKind({ path, toFields, toBody, ...kind }: PlatformKind): Kind {
  const fieldsOf = toFields ?? ((record: Fields) => picked(kind.schema, record));
  const bodyOf = toBody ?? ((fields: Fields) => fields);
  const change = (api: Api, id: string, body: Fields) =>
    api.json('platform', `${path}/${encodeURIComponent(id)}`, Record, { method: 'PATCH', body });
  return {
    ...kind,
    list: async (api, context) =>
      (await listAll(api, 'platform', path, Record)).map((record) => ({
        id: record.id,
        fields: fieldsOf(record, context),
      })),
    async create(api, fields, context) {
      const { status, ...body } = bodyOf(fields, context, undefined);
      const { id } = await api.json('platform', path, Record, { method: 'POST', body });
      if (status === 'inactive') await change(api, id, { status });
      return id;
    },
    async update(api, stored, fields, context) {
      await change(api, stored.id, bodyOf(fields, context, stored));
    },
    async remove(api, { id }) {
      await api.open('platform', `${path}/${encodeURIComponent(id)}`, { method: 'DELETE' });
    },
  };
}

export const skills = platformKind({
  name: 'skill',
  folder: 'skills',
  fileName: 'SKILL.md',
  textField: 'instructions',
  key: 'name',
  path: '/api/v1/skills',
  schema: z.strictObject({
    name: z.string().min(1),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()).default({}),
    status: Status,
    instructions: z.string().default(''),
  }),
});

export const content = platformKind({
  name: 'content',
  folder: 'content',
  textField: 'body',
  key: 'title',
  path: '/api/v1/content',
  schema: z.strictObject({ title: z.string().min(1), tags: texts, status: Status, body: z.string().default('') }),
});

/** Plugins are not kept as files: only agents name them. */
export const plugins = platformKind({
  name: 'plugin',
  folder: 'plugins',
  key: 'name',
  path: '/api/v1/plugins',
  schema: z.strictObject({ name: z.string() }),
});

/** How to sign in at a server, with the API's default. */
const Auth = z
  .looseObject({ type: z.string() })
  .default({ type: 'none' })
  .transform((auth) => ({
    ...(auth.type === 'client_credentials' && { client_auth: 'client_secret_basic' }),
    ...auth,
  }));

export const servers = platformKind({
  name: 'MCP server',
  folder: 'mcp-servers',
  key: 'name',
  path: '/api/v1/mcp/servers',
  schema: z.strictObject({
    name: z.string().min(1),
    url: z.string(),
    description: z.string().default(''),
    headers: z.record(z.string(), z.string()).default({}),
    auth: Auth,
    pin_tools: z.boolean().default(true),
    status: Status,
  }),
  toFields: (record) => placeholders(picked(servers.schema, record)),
  // What holds a secret is sent when it is new or has changed besides its secret, which no API shows.
  toBody(fields, { env }, stored) {
    const { headers, auth, ...rest } = fields;
    const fresh = Object.entries({ headers, auth }).filter(
      ([name, value]) => !stored || !isSameBesideSecrets(stored.fields[name], value),
    );
    return { ...rest, ...resolveSecrets(Object.fromEntries(fresh), env) };
  },
});

/** Fields of agents that name records of another kind, and the fields of the API with their ids. */
const NAMED = [
  ['skills', 'skill_ids', 'skill'],
  ['mcp_servers', 'mcp_server_ids', 'MCP server'],
  ['plugins', 'plugin_ids', 'plugin'],
  ['agents', 'agent_ids', 'agent'],
] as const;

const agentSchema = z.strictObject({
  name: z.string().min(1),
  description: z.string().default(''),
  instructions: z.string().default(''),
  model: z.string().nullable().default(null),
  model_parameters: z.record(z.string(), z.unknown()).default({}),
  skills: texts,
  mcp_servers: texts,
  plugins: texts,
  agents: texts,
  content_tags: texts,
  mcp_tools: z.array(z.string()).default(['*']),
  ask_tools: texts,
  on_unknown: z.enum(['ask', 'tell', 'fail']).default('ask'),
  published: z.boolean().default(true),
  status: Status,
});

export const agents = platformKind({
  name: 'agent',
  folder: 'agents',
  key: 'name',
  path: '/api/v1/agents',
  schema: agentSchema,
  toFields: (record, { ids }) =>
    picked(agentSchema, {
      ...record,
      ...Object.fromEntries(
        NAMED.map(([name, member, kind]) => [name, (record[member] as string[]).map((id) => keyOf(ids, kind, id))]),
      ),
    }),
  toBody: (fields, { ids }) => ({
    ...Object.fromEntries(Object.entries(fields).filter(([name]) => !NAMED.some(([named]) => named === name))),
    ...Object.fromEntries(
      NAMED.map(([name, member, kind]) => [member, (fields[name] as string[]).map((key) => idOf(ids, kind, key))]),
    ),
  }),
  references: (fields) => NAMED.flatMap(([name, , kind]) => (fields[name] as string[]).map((key) => ({ kind, key }))),
});
