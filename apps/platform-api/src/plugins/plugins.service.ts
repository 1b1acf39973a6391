import { recordDenial } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { addsScopes } from '@millwright/auth/agent-tokens';
import type { DataSourceConfig } from '@millwright/catalog';
import {
  openPluginSecrets,
  pluginTokenAuth,
  sealPluginSecrets,
  type PluginConfig,
  type PluginType,
} from '@millwright/catalog/plugin-config';
import type { SecretBox } from '@millwright/secrets';
import { encodeId, newId, type Database, type Target } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { schemaKey, type SchemaFault, type SchemaValidator } from '@millwright/schemas';
import { requireConfigShape } from './config-shape.js';
import { keepSecrets, separateSecrets, type OpenedConfig } from './config-secrets.js';
import type { NewPlugin, PluginChanges } from './plugins.contract.js';
import type { CheckedConfig, PluginStore, StoredPlugin } from './plugins.store.js';
import type { Reachability, ReachabilityCheck } from './reachability.js';

export interface PluginServiceDeps {
  db: Database;
  plugins: PluginStore;
  secretBox: SecretBox;
  validator: SchemaValidator;
  reachability: ReachabilityCheck;
}

interface WantedConfig {
  uuid: string;
  type: PluginType;
  config_schema: PluginConfig;
  opened: OpenedConfig;
}

/**
 * The rules of plugin configs: they are valid for the type and for the plugin's own schema, their secrets are encrypted, and their addresses are
 * allowed.
 */
export function createPluginService({ db, plugins, secretBox, validator, reachability }: PluginServiceDeps) {
  async function requireSchema(project: Project, field: string, schema: PluginConfig): Promise<void> {
    const [fault] = await validator.of(project).compile(schema);
    if (fault) throw invalidField(fieldOf(field, fault), fault.reason);
  }

  async function requireValid(project: Project, schema: PluginConfig, config: PluginConfig): Promise<void> {
    const checked = await validator.of(project).validate(schemaKey(schema), schema, config);
    if (checked.valid) return;
    const fields = checked.faults.map((fault) => ({ field: fieldOf('config', fault), reason: fault.reason }));
    throw new AppError('validation_error', { fields });
  }

  async function requireInputSchema(project: Project, schema: PluginConfig): Promise<void> {
    await requireSchema(project, 'config.input_schema', schema);
    // Models send the arguments of a tool as an object, which no schema of another type would allow.
    if ((schema['type'] ?? 'object') !== 'object') throw invalidField('config.input_schema.type', 'must be object');
  }

  /**
   * Requires an admin when a config allows a new client to exchange the tool's tokens, or adds scopes of this installation's APIs to these tokens.
   * The client can then call other servers of the project and this installation in the name of the tokens' users.
   */
  async function requireExchange(caller: Caller, id: string, config: PluginConfig, current?: PluginConfig) {
    const auth = pluginTokenAuth(config);
    const former = current && pluginTokenAuth(current);
    const isNew =
      auth?.client_id !== undefined && (auth.client_id !== former?.client_id || addsScopes(auth.scope, former.scope));
    if (!isNew || caller.scopes?.has('admin')) return;
    const { actor, project } = caller;
    const entry = { actor, project, action: 'plugin.allow_exchange', resource: encodeId('pl', id) };
    await recordDenial(db, entry, 'the scope admin is missing');
    throw new AppError('forbidden');
  }

  /** Requires an admin to install, change and remove an external guard, because guards read the texts of runs. */
  async function requireMayChange(caller: Caller, type: PluginType, uuid: string): Promise<void> {
    if (type !== 'filter' || caller.scopes?.has('admin')) return;
    const { actor, project } = caller;
    const entry = { actor, project, action: 'plugin.change_filter', resource: encodeId('pl', uuid) };
    await recordDenial(db, entry, 'the scope admin is missing');
    throw new AppError('forbidden');
  }

  async function checkUpstream(caller: Caller, type: PluginType, config: PluginConfig): Promise<Reachability> {
    if (type === 'integration') {
      const serverId = String(config['server_id']);
      const status = await plugins.serverStatus(caller.project, serverId);
      if (status === undefined) throw invalidField('config.server_id', `${serverId} does not exist`);
      return reachability.server(status);
    }
    const upstream = config as PluginConfig & DataSourceConfig;
    return type === 'tool' || type === 'filter' ? reachability.tool(upstream) : reachability.dataSource(upstream);
  }

  async function check(caller: Caller, { uuid, type, config_schema, opened }: WantedConfig): Promise<CheckedConfig> {
    const { project } = caller;
    const { config } = opened;
    await requireSchema(project, 'config_schema', config_schema);
    requireConfigShape(type, config, config_schema);
    if (config['input_schema']) await requireInputSchema(project, config['input_schema'] as PluginConfig);
    await requireValid(project, config_schema, config);
    const { shown, secrets } = separateSecrets(type, opened, config_schema);
    const found = await checkUpstream(caller, type, config);
    return { config: shown, secrets: sealPluginSecrets(secretBox, uuid, secrets), config_schema, ...found };
  }

  /** Checks a new config of an installed plugin: "********" keeps the stored secret. */
  async function recheck(caller: Caller, current: StoredPlugin, config: PluginConfig, config_schema: PluginConfig) {
    const { uuid, version, record } = current;
    const secrets = openPluginSecrets(secretBox, uuid, current.secrets);
    const url = secrets.find(({ path }) => path.join() === 'url')?.value ?? record.config['url'];
    await requireExchange(caller, uuid, config, record.config);
    const opened = keepSecrets(config, config_schema, { secrets, url, schema: record.config_schema });
    return { of: version, config: await check(caller, { uuid, type: record.type, config_schema, opened }) };
  }

  /**
   * Finds a plugin that the caller may change. Must be called before any outbound request.
   *
   * @throws AppError not_found, forbidden, precondition_failed
   */
  async function requireCurrent(caller: Caller, { id, ifMatch }: Target): Promise<StoredPlugin> {
    const current = await plugins.find(caller.project, id);
    if (!current) throw new AppError('not_found');
    await requireMayChange(caller, current.record.type, current.uuid);
    if (ifMatch && !ifMatch.includes(current.version)) throw new AppError('precondition_failed');
    return current;
  }

  return {
    /**
     * Checks a new plugin and its upstream. The function must be called before the transaction, because a transaction must not wait for the
     * network.
     */
    async prepare(caller: Caller, { name, description, type, config, config_schema }: NewPlugin) {
      const id = newId();
      const opened = { config, kept: [] };
      await requireMayChange(caller, type, id);
      await requireExchange(caller, id, config);
      return {
        fields: { id, name, description, type },
        checked: await check(caller, { uuid: id, type, config_schema, opened }),
      };
    },

    /** Checks a changed plugin as `prepare` checks a new plugin. Returns `undefined` when the change has no config. */
    async prepareChange(caller: Caller, target: Target, { type, config, config_schema }: PluginChanges) {
      const current = await requireCurrent(caller, target);
      if (type !== undefined && type !== current.record.type) throw invalidField('type', 'cannot be changed');
      if (!config && !config_schema) return undefined;
      const merged = { ...current.record.config, ...config };
      return recheck(caller, current, merged, config_schema ?? current.record.config_schema);
    },

    /** @throws AppError not_found, forbidden */
    requireRemovable: (caller: Caller, { id }: Target) => requireCurrent(caller, { id, ifMatch: undefined }),

    async prepareReplacement(caller: Caller, target: Target, config: PluginConfig) {
      const current = await requireCurrent(caller, target);
      return recheck(caller, current, config, current.record.config_schema);
    },
  };
}
export type PluginService = ReturnType<typeof createPluginService>;

function fieldOf(field: string, { path }: SchemaFault): string {
  return path === '' ? field : `${field}.${path}`;
}
