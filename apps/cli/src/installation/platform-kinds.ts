import { z } from 'zod';
import { idOf, keyOf, listAll, readOne, type Context, type Fields, type Kind, type Stored } from './kind.js';
import { isSameBesideSecrets, placeholders, resolveSecrets } from './secrets.js';

const Record = z.looseObject({ id: z.string() });
const texts = z.array(z.string()).default([]);
const Status = z.enum(['active', 'inactive']).default('active');

/** Returns the fields of a record of the API that are in the schema. A server with the status `unreachable` counts as active. */
const picked = (schema: Kind['schema'], record: Fields): Fields =>
  schema.parse({
    ...Object.fromEntries(Object.keys(schema.shape).map((name) => [name, record[name]])),
    ...(schema.shape['status'] && { status: record['status'] === 'inactive' ? 'inactive' : 'active' }),
  });

interface PlatformKind extends Omit<Kind, 'list' | 'read' | 'bodyOf' | 'service'> {
  path: string;
  toFields?: (record: Fields, context: Context) => Fields;
  toBody?: (fields: Fields, context: Context, stored: Stored | undefined) => Fields;
}

function platformKind({ path, toFields, toBody, ...kind }: PlatformKind): Kind {
  const fieldsOf = toFields ?? ((record: Fields) => picked(kind.schema, record));
  return {
    ...kind,
    service: 'platform',
    bodyOf: toBody ?? ((fields) => fields),
    list: async (api, context) =>
      (await listAll(api, 'platform', path, Record)).map((record) => ({
        id: record.id,
        fields: fieldsOf(record, context),
      })),
    async read(api, id, context) {
      const { record, etag } = await readOne(api, 'platform', `${path}/${encodeURIComponent(id)}`);
      return { fields: fieldsOf(Record.parse(record), context), etag };
    },
  };
}

export const skills = platformKind({
  name: 'skill',
  changeKind: 'skill',
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
  changeKind: 'content',
  folder: 'content',
  textField: 'body',
  key: 'title',
  path: '/api/v1/content',
  schema: z.strictObject({ title: z.string().min(1), tags: texts, status: Status, body: z.string().default('') }),
});

/** Agents refer to plugins, but plugins are not stored in files. */
export const plugins = platformKind({
  name: 'plugin',
  changeKind: 'plugin',
  folder: 'plugins',
  key: 'name',
  path: '/api/v1/plugins',
  schema: z.strictObject({ name: z.string() }),
});

/** How Millwright authenticates to a server. The default is that of the API. */
const Auth = z
  .looseObject({ type: z.string() })
  .default({ type: 'none' })
  .transform((auth) => ({
    ...(auth.type === 'client_credentials' && { client_auth: 'client_secret_basic' }),
    ...auth,
  }));

export const servers = platformKind({
  name: 'MCP server',
  changeKind: 'mcp_server',
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
  // No API returns stored secrets, so headers and auth cannot be compared completely. They are sent only for a new server, or when more
  // than a secret differs.
  toBody(fields, { env }, stored) {
    const { headers, auth, ...rest } = fields;
    const fresh = Object.entries({ headers, auth }).filter(
      ([name, value]) => !stored || !isSameBesideSecrets(stored.fields[name], value),
    );
    return { ...rest, ...resolveSecrets(Object.fromEntries(fresh), env) };
  },
});

/**
 * The kinds of records to which an agent refers: for each, the field in the agent's file, the field of the API, which contains ids, and the
 * name of the kind.
 */
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
  /** Without this field, a new agent gets the default of the installation, and an existing agent stays unchanged in this respect. */
  published: z.boolean().optional(),
  status: Status,
});

export const agents = platformKind({
  name: 'agent',
  changeKind: 'agent',
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
