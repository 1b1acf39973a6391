import { PLUGIN_TYPES } from '@millwright/catalog/plugin-config';
import { endpoint } from '@millwright/http';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

const Status = z.enum(['active', 'inactive']);
const Type = z.enum(PLUGIN_TYPES);
const JsonObject = z.record(z.string(), z.unknown());

/** A plugin in an answer. Each secret in `config` is shown as "********". */
export const Plugin = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  version: z.int(),
  type: Type,
  config: JsonObject,
  config_schema: JsonObject,
  status: Status,
  reachable: z.boolean().nullable(),
  last_checked_at: z.string().nullable(),
  last_error: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Plugin = z.output<typeof Plugin>;

const MAX_CONFIG_CHARACTERS = 64 * 1024;
const small = (value: object) => JSON.stringify(value).length <= MAX_CONFIG_CHARACTERS;

/** The service checks the form of a config by the plugin's type. */
const Config = JsonObject.refine(small, 'must be at most 64 KiB');

const fields = {
  name: z.string().trim().min(1).max(200),
  description: z.string().max(2_000),
  type: Type,
  config: Config,
  config_schema: JsonObject,
};

export const NewPlugin = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  config_schema: fields.config_schema.default({}),
});
export type NewPlugin = z.output<typeof NewPlugin>;

/** Fields that are accepted and ignored, so that a client may send back the body of a GET. */
const ignored = z
  .unknown()
  .optional()
  .transform(() => undefined);

/** `config` is merged key by key; `type` cannot change. */
export const PluginChanges = z
  .strictObject({ ...fields, status: Status })
  .partial()
  .extend({ version: ignored, reachable: ignored, last_checked_at: ignored, last_error: ignored });
export type PluginChanges = z.output<typeof PluginChanges>;

export const PluginConfigBody = z.looseObject({}).refine(small, 'must be at most 64 KiB');

const params = z.object({ plugin_id: z.string() });
const one = { status: 200, description: 'The plugin', body: Plugin } as const;
const config = { status: 200, description: 'The configuration', body: JsonObject } as const;

const plugins = { tag: 'Plugins', limit: 'credential' } as const;

export const listPlugins = endpoint({
  ...plugins,
  operationId: 'listPlugins',
  method: 'GET',
  path: '/api/v1/plugins',
  summary: 'List installed plugins',
  access: { scope: 'plugins:read' },
  query: ListQuery,
  success: { status: 200, description: 'A page of plugins', body: listOf(Plugin) },
  errors: [],
});

export const installPlugin = endpoint({
  ...plugins,
  operationId: 'installPlugin',
  method: 'POST',
  path: '/api/v1/plugins',
  summary: 'Install a plugin',
  access: { scope: 'plugins:write' },
  long: true,
  body: NewPlugin,
  success: { status: 201, description: 'The new plugin', body: Plugin },
  errors: ['conflict'],
});

export const getPlugin = endpoint({
  ...plugins,
  operationId: 'getPlugin',
  method: 'GET',
  path: '/api/v1/plugins/{plugin_id}',
  summary: 'Retrieve a plugin',
  access: { scope: 'plugins:read' },
  params,
  success: one,
  errors: [],
});

export const updatePlugin = endpoint({
  ...plugins,
  operationId: 'updatePlugin',
  method: 'PATCH',
  path: '/api/v1/plugins/{plugin_id}',
  summary: 'Update a plugin and its configuration',
  access: { scope: 'plugins:write' },
  params,
  body: PluginChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const uninstallPlugin = endpoint({
  ...plugins,
  operationId: 'uninstallPlugin',
  method: 'DELETE',
  path: '/api/v1/plugins/{plugin_id}',
  summary: 'Uninstall a plugin. Agents that use it lose it.',
  access: { scope: 'plugins:write' },
  params,
  success: { status: 204, description: 'Uninstalled' },
  errors: ['conflict', 'precondition_failed'],
});

export const getPluginConfig = endpoint({
  ...plugins,
  operationId: 'getPluginConfig',
  method: 'GET',
  path: '/api/v1/plugins/{plugin_id}/config',
  summary: 'Retrieve the configuration of a plugin',
  access: { scope: 'plugins:read' },
  params,
  success: config,
  errors: [],
});

export const replacePluginConfig = endpoint({
  ...plugins,
  operationId: 'replacePluginConfig',
  method: 'PUT',
  path: '/api/v1/plugins/{plugin_id}/config',
  summary: 'Replace the configuration of a plugin',
  access: { scope: 'plugins:write' },
  params,
  body: PluginConfigBody,
  success: config,
  errors: ['conflict', 'precondition_failed'],
});
