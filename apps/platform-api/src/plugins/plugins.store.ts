import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { raiseAgents, type PluginConfig, type PluginType } from '@millwright/catalog';
import {
  addToCount,
  conflictWhenTaken,
  decodeId,
  encodeId,
  lockRecord,
  moveCount,
  type Database,
  type Prisma,
  type Target,
  type Tx,
  type Versioned,
} from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { ListQuery } from '../lists/list.contract.js';
import { findRecord, listRecords, type RecordSource } from '../lists/list.store.js';
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

/** A plugin as it is kept: its secrets sealed. */
export interface StoredPlugin extends Versioned<Plugin> {
  uuid: string;
  secrets: string | null;
}

/** A config that was checked, its secrets sealed, and what a check of it found. */
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

function toPlugin(row: PluginRow): StoredPlugin {
  const { name, description, type, reachable, last_error, version } = row;
  return {
    uuid: row.id,
    secrets: row.secrets,
    version,
    record: {
      id: encodeId('pl', row.id),
      name,
      description,
      version,
      type: type as PluginType,
      config: row.config as Record<string, unknown>,
      config_schema: row.config_schema as Record<string, unknown>,
      status: row.status === 'active' ? 'active' : 'inactive',
      reachable,
      last_checked_at: row.last_checked_at?.toISOString() ?? null,
      last_error,
      created_at: row.created_at.toISOString(),
      updated_at: row.updated_at.toISOString(),
    },
  };
}

const columnsOf = ({ config, config_schema, ...rest }: CheckedConfig) => ({
  ...rest,
  config: config as Prisma.InputJsonObject,
  config_schema: config_schema as Prisma.InputJsonObject,
});

const PLUGINS: RecordSource<PluginRow, StoredPlugin> = {
  kind: 'plugins',
  prefix: 'pl',
  columns: COLUMNS,
  toShown: toPlugin,
};

/** The only file that reads and writes plugins for area B. Every function sees one project and nothing else. */
export function createPluginStore(db: Database) {
  return {
    find: (project: Project, id: string) => findRecord(db, PLUGINS, project, id),

    list: (project: Project, query: ListQuery) => listRecords(db, PLUGINS, project, query),

    /** Of the project's MCP server with this id; `undefined` when there is none. */
    async serverStatus(project: Project, id: string): Promise<string | undefined> {
      const where = { id: decodeId('ms', id) ?? '', project };
      if (where.id === '') return undefined;
      return (await db.prisma.mcpServer.findFirst({ where, select: { status: true } }))?.status;
    },

    async create(
      tx: Tx,
      { project, actor }: Caller,
      fields: { id: string; name: string; description: string; type: PluginType },
      checked: CheckedConfig,
    ): Promise<Versioned<Plugin>> {
      const now = new Date();
      const row = await tx.plugin
        .create({
          data: {
            ...fields,
            ...columnsOf(checked),
            project,
            created_by: actor.userId,
            created_at: now,
            updated_at: now,
          },
        })
        .catch(conflictWhenTaken);
      const plugin = toPlugin(row);
      await addToCount(tx, { project, kind: 'plugins', status: row.status }, 1);
      const detail = { name: row.name, type: row.type };
      await recordDecision(tx, { actor, action: 'plugin.create', resource: plugin.record.id, project, detail });
      return plugin;
    },

    /**
     * Sets these fields. Without any, the record stays as it is.
     *
     * @throws AppError conflict when `checked` was made from a version that is no longer the current one.
     */
    async change(
      tx: Tx,
      { project, actor }: Caller,
      target: Target,
      fields: PluginFields,
      checked?: { of: number; config: CheckedConfig },
    ): Promise<Versioned<Plugin>> {
      const current = await lockRecord(tx, 'plugins', project, decodeId('pl', target.id), target.ifMatch);
      if (checked && checked.of !== current.version) throw new AppError('conflict');
      const given = Object.entries(fields).filter(([, value]) => value !== undefined);
      const changed = [...given.map(([name]) => name), ...(checked ? ['config'] : [])];
      const where = { id: current.id };
      if (changed.length === 0) return toPlugin(await tx.plugin.findUniqueOrThrow({ where }));
      const row = await tx.plugin
        .update({
          where,
          data: {
            ...Object.fromEntries(given),
            ...(checked && columnsOf(checked.config)),
            version: { increment: 1 },
            updated_at: new Date(),
          },
        })
        .catch(conflictWhenTaken);
      await moveCount(tx, { project, kind: 'plugins', status: current.status }, row.status);
      const detail = { fields: changed };
      await recordDecision(tx, { actor, action: 'plugin.update', resource: target.id, project, detail });
      return toPlugin(row);
    },

    /** Agents that use it lose it, which is a change of theirs. */
    async remove(tx: Tx, { project, actor }: Caller, target: Target): Promise<void> {
      const current = await lockRecord(tx, 'plugins', project, decodeId('pl', target.id), target.ifMatch);
      const agents = await tx.agentPlugin.findMany({ where: { plugin_id: current.id }, select: { agent_id: true } });
      await tx.plugin.delete({ where: { id: current.id } });
      await raiseAgents(
        tx,
        actor,
        agents.map(({ agent_id }) => agent_id),
      );
      await addToCount(tx, { project, kind: 'plugins', status: current.status }, -1);
      await recordDecision(tx, { actor, action: 'plugin.delete', resource: target.id, project });
    },
  };
}
export type PluginStore = ReturnType<typeof createPluginStore>;
