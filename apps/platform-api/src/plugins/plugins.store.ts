import type { Caller, Project } from '@millwright/auth';
import { removeUsed } from '@millwright/catalog';
import type { PluginConfig, PluginType } from '@millwright/catalog/plugin-config';
import {
  decodeId,
  encodeId,
  jsonColumn,
  type Database,
  type LockedRecord,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError } from '@millwright/errors';
import { defineRecords } from '@millwright/records';
import type { ListQuery } from '../lists/list.contract.js';
import { listRecords } from '../lists/list-records.js';
import type { Plugin } from './plugins.contract.js';
import type { Reachability } from './reachability.js';

interface PluginRow {
  id: string;
  name: string;
  description: string;
  type: string;
  config: unknown;
  secrets: string | null;
  config_schema: unknown;
  status: string;
  reachable: boolean | null;
  last_checked_at: Date | null;
  last_error: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** A stored plugin, with encrypted secrets. */
export interface StoredPlugin extends Versioned<Plugin> {
  uuid: string;
  secrets: string | null;
}

/** A checked config with encrypted secrets, and the result of the check. */
export interface CheckedConfig extends Reachability {
  config: PluginConfig;
  secrets: string | null;
  config_schema: PluginConfig;
}

export interface PluginFields {
  name?: string | undefined;
  description?: string | undefined;
  status?: 'active' | 'inactive' | undefined;
}

const COLUMNS = `r.id, r.name, r.description, r.type, r.config, r.secrets, r.config_schema, r.status, r.reachable,
  r.last_checked_at, r.last_error, r.version, r.created_at, r.updated_at`;

function toResponse({ id, name, description, reachable, last_error, version, ...row }: PluginRow): Plugin {
  const { type, config, config_schema } = row as Pick<Plugin, 'type' | 'config' | 'config_schema'>;
  return {
    id: encodeId('pl', id),
    name,
    description,
    version,
    type,
    config,
    config_schema,
    status: row.status === 'active' ? 'active' : 'inactive',
    reachable,
    last_checked_at: row.last_checked_at?.toISOString() ?? null,
    last_error,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const columnsOf = ({ config, config_schema, ...rest }: CheckedConfig) => ({
  ...rest,
  config: jsonColumn(config),
  config_schema: jsonColumn(config_schema),
});

const PLUGINS = defineRecords<PluginRow, Plugin>({
  table: 'plugins',
  prefix: 'pl',
  noun: 'plugin',
  columns: COLUMNS,
  bytes: 'octet_length(r.config::text) + octet_length(r.config_schema::text) + octet_length(r.description)',
  toResponse,
});

/** Applies the rule and the mark `repeatable` of the current version to the next version too. Both versions must have the same definition. */
async function keepMarks(tx: Tx, { id, version }: LockedRecord): Promise<void> {
  await tx.plugin.updateMany({ where: { id, rule_version: version }, data: { rule_version: version + 1 } });
  await tx.plugin.updateMany({ where: { id, repeatable_version: version }, data: { repeatable_version: version + 1 } });
}

/** @throws AppError conflict when a policy of guards names the plugin */
async function requireNoGuard(tx: Tx, project: Project, id: string): Promise<void> {
  const pin = JSON.stringify([{ plugin: id }]);
  const [used] = await tx.$queryRaw<object[]>`
    SELECT 1 FROM guard_policies WHERE project = ${project} AND filters @> ${pin}::jsonb LIMIT 1`;
  if (used)
    throw new AppError('conflict', {
      fields: [{ field: 'plugin_id', reason: 'is a guard: remove it from Guards first' }],
    });
}

/** Plugins of the platform API. Every function reads and changes only one project. */
export function createPluginStore(db: Database) {
  return {
    async find(project: Project, id: string): Promise<StoredPlugin | undefined> {
      const row = await PLUGINS.findRow(db, project, id);
      return row && { ...PLUGINS.toVersioned(row), uuid: row.id, secrets: row.secrets };
    },

    list: (project: Project, query: ListQuery) => listRecords(db.reads, PLUGINS, project, query),

    /** Returns the status of the project's MCP server with this id; `undefined` when no such server exists. */
    async serverStatus(project: Project, id: string): Promise<string | undefined> {
      const where = { id: decodeId('ms', id) ?? '', project };
      if (where.id === '') return undefined;
      return (await db.prisma.mcpServer.findFirst({ where, select: { status: true } }))?.status;
    },

    async create(
      tx: Tx,
      caller: Caller,
      { id, ...fields }: { id: string; name: string; description: string; type: PluginType },
      checked: CheckedConfig,
    ): Promise<Versioned<Plugin>> {
      const row = await PLUGINS.create(
        tx,
        caller,
        (columns) => tx.plugin.create({ data: { ...fields, ...columnsOf(checked), ...columns } }),
        ({ name, type }) => ({ name, type }),
        id,
      );
      return PLUGINS.toVersioned(row);
    },

    /**
     * Sets these fields. An empty set changes nothing.
     *
     * @throws AppError conflict when `checked` was made from a version that is no longer the current version.
     */
    async change(
      tx: Tx,
      caller: Caller,
      target: Target,
      fields: PluginFields,
      checked?: { of: number; config: CheckedConfig },
    ): Promise<Versioned<Plugin>> {
      const current = await PLUGINS.lock(tx, caller, target);
      if (checked && checked.of !== current.version) throw new AppError('conflict');
      const set = Object.entries({ ...fields, config: checked }).filter(([, value]) => value !== undefined);
      const changed = set.map(([name]) => name);
      const where = { id: current.id };
      if (changed.length === 0) return PLUGINS.toVersioned(await tx.plugin.findUniqueOrThrow({ where }));
      const isSameTool = changed.every((field) => field === 'status');
      const row = await PLUGINS.change(
        tx,
        caller,
        current,
        async (next) => {
          if (isSameTool) await keepMarks(tx, current);
          return tx.plugin.update({ where, data: { ...fields, ...(checked && columnsOf(checked.config)), ...next } });
        },
        () => ({ fields: changed }),
      );
      return PLUGINS.toVersioned(row);
    },

    /** Removes the plugin from its agents, which get new versions. @throws AppError conflict for an external guard of a policy */
    remove: (tx: Tx, caller: Caller, target: Target): Promise<void> =>
      removeUsed(tx, caller, target, 'plugins', PLUGINS, (id) => requireNoGuard(tx, caller.project, id)),
  };
}
export type PluginStore = ReturnType<typeof createPluginStore>;
