import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { resolveUsed } from '@millwright/catalog';
import { decodeId, encodeId, lockRecord, newId, type Database, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import {
  effectiveFilters,
  effectivePolicy,
  looserThan,
  type Filter,
  type FilterPin,
  type GuardPolicy as Policy,
} from '@millwright/guards';
import type { AgentGuardPolicy, GuardPolicy, NewGuardPolicy } from './guards.contract.js';

interface PolicyRow {
  agent_id: string | null;
  rules: GuardPolicy['rules'];
  phone_countries: string[];
  filters: FilterPin[];
  updated_at: Date;
}

interface PluginRow {
  id: string;
  name: string;
  version: number;
  status: string;
}

/** Name of a project's guards in the audit log. */
const GUARDS = 'guards';

const NONE: GuardPolicy = { rules: {}, phone_countries: [], filters: [], updated_at: null };

/** A policy with the plugins of its external guards. */
interface StoredPolicy extends PolicyRow {
  plugins: ReadonlyMap<string, PluginRow>;
}

const isCurrent = ({ plugin, version }: FilterPin, plugins: StoredPolicy['plugins']) =>
  plugins.get(plugin)?.version === version && plugins.get(plugin)?.status === 'active';

function toResponse(row: StoredPolicy | undefined): GuardPolicy {
  if (!row) return NONE;
  const { rules, phone_countries, plugins, updated_at } = row;
  const filters = row.filters.map((pin) => ({
    plugin_id: encodeId('pl', pin.plugin),
    name: plugins.get(pin.plugin)?.name ?? '',
    version: pin.version,
    is_current: isCurrent(pin, plugins),
    points: [...pin.points],
    on_failure: pin.on_failure,
  }));
  return { rules, phone_countries, filters, updated_at: updated_at.toISOString() };
}

const toFilter =
  ({ plugins }: StoredPolicy) =>
  (pin: FilterPin): Filter => ({
    id: pin.plugin,
    name: plugins.get(pin.plugin)?.name ?? '',
    version: pin.version,
    ...{ config: null, secrets: null },
    is_approved: isCurrent(pin, plugins),
    points: pin.points,
    on_failure: pin.on_failure,
  });

function toAgentResponse(rows: readonly StoredPolicy[]): AgentGuardPolicy {
  const policies: Policy[] = rows.map(({ rules, phone_countries }) => ({ rules, phone_countries }));
  const { rules, phone_countries } = effectivePolicy(policies);
  const filters = effectiveFilters(rows.map((row) => row.filters.map(toFilter(row)))).map((filter) => ({
    plugin_id: encodeId('pl', filter.id),
    name: filter.name,
    version: filter.version ?? 0,
    is_current: filter.is_approved,
    points: [...filter.points],
    on_failure: filter.on_failure,
  }));
  const own = toResponse(rows.find(({ agent_id }) => agent_id !== null));
  return { ...own, effective: { rules, phone_countries: [...phone_countries], filters } };
}

/** The guards of projects and agents. */
export function createGuardStore(db: Database) {
  async function list(tx: Pick<Tx, '$queryRaw'>, project: Project, agentUuid: string | null): Promise<StoredPolicy[]> {
    const rows = await tx.$queryRaw<PolicyRow[]>`
      SELECT agent_id, rules, phone_countries, filters, updated_at FROM guard_policies
       WHERE (project = ${project} AND agent_id IS NULL) OR agent_id = ${agentUuid}::uuid
       ORDER BY agent_id NULLS FIRST`;
    const uuids = rows.flatMap(({ filters }) => filters.map(({ plugin }) => plugin));
    const found =
      uuids.length === 0
        ? []
        : await tx.$queryRaw<PluginRow[]>`
            SELECT id, name, version, status FROM plugins WHERE project = ${project} AND id = ANY(${uuids}::uuid[])`;
    const plugins = new Map(found.map((plugin) => [plugin.id, plugin]));
    return rows.map((row) => ({ ...row, plugins }));
  }

  /**
   * Returns external guards in the form in which they are stored, and keeps their plugins from being deleted until the transaction ends.
   * @throws AppError validation_error for a plugin that is not active, is not of type `filter`, or does not have the version in `filters`
   */
  async function pinsOf(tx: Tx, project: Project, filters: NewGuardPolicy['filters']): Promise<FilterPin[]> {
    const uuids = await resolveUsed(
      tx,
      'plugins',
      project,
      filters.map((filter) => filter.plugin_id),
    );
    const plugins = await tx.plugin.findMany({
      where: { id: { in: [...uuids.values()] }, type: 'filter', status: 'active' },
      select: { id: true, version: true },
    });
    const versions = new Map(plugins.map(({ id, version }) => [id, version]));
    return filters.map(({ plugin_id, version, points, on_failure }, index) => {
      const plugin = uuids.get(plugin_id);
      const present = plugin === undefined ? undefined : versions.get(plugin);
      if (plugin === undefined || present === undefined)
        throw invalidField(`filters.${index}.plugin_id`, 'is not an active plugin of type "filter"');
      if (present !== version)
        throw invalidField(`filters.${index}.version`, `is not the present one, which is ${present}`);
      return { plugin, version, points: [...new Set(points)], on_failure };
    });
  }

  async function put(
    tx: Tx,
    project: Project,
    agentUuid: string | null,
    { rules, phone_countries, filters }: NewGuardPolicy,
  ): Promise<void> {
    const pins = JSON.stringify(await pinsOf(tx, project, filters));
    await tx.$executeRaw`
      INSERT INTO guard_policies (id, project, agent_id, rules, phone_countries, filters)
      VALUES (${newId()}::uuid, ${project}, ${agentUuid}::uuid, ${JSON.stringify(rules)}::jsonb, ${phone_countries}::text[], ${pins}::jsonb)
      ON CONFLICT (project, (coalesce(agent_id, '00000000-0000-0000-0000-000000000000'))) DO UPDATE
        SET rules = excluded.rules, phone_countries = excluded.phone_countries, filters = excluded.filters,
            version = guard_policies.version + 1, updated_at = now()`;
  }

  return {
    ofProject: async (project: Project): Promise<GuardPolicy> => toResponse((await list(db.prisma, project, null))[0]),

    /** @throws AppError validation_error for an external guard as in `pinsOf` */
    async setProject(tx: Tx, { project, actor }: Caller, policy: NewGuardPolicy): Promise<GuardPolicy> {
      await put(tx, project, null, policy);
      await recordDecision(tx, { actor, project, action: 'guards.update', resource: GUARDS, detail: { ...policy } });
      return toResponse((await list(tx, project, null))[0]);
    },

    /** Reads the guards of an agent; `undefined` when the project has no such agent. */
    async ofAgent(project: Project, id: string): Promise<AgentGuardPolicy | undefined> {
      const uuid = decodeId('ag', id);
      const agent = uuid && (await db.prisma.agent.findFirst({ where: { id: uuid, project }, select: { id: true } }));
      return agent ? toAgentResponse(await list(db.prisma, project, agent.id)) : undefined;
    },

    /** @throws AppError not_found; validation_error for an external guard as in `pinsOf`, and for rules that are less strict than the project's */
    async setAgent(tx: Tx, { project, actor }: Caller, id: string, policy: NewGuardPolicy): Promise<AgentGuardPolicy> {
      const { id: uuid } = await lockRecord(tx, 'agents', project, decodeId('ag', id), undefined);
      const [ofProject] = await list(tx, project, null);
      const looser = looserThan(policy.rules, ofProject?.rules ?? {});
      if (looser)
        throw invalidField(
          `rules.${looser.guard}.${looser.point}`,
          `must not be less strict than the project's, which is "${looser.bound}"`,
        );
      requireNotLooser(policy.filters, ofProject?.filters ?? []);
      await put(tx, project, uuid, policy);
      await recordDecision(tx, { actor, project, action: 'agent.set_guards', resource: id, detail: { ...policy } });
      return toAgentResponse(await list(tx, project, uuid));
    },
  };
}
export type GuardStore = ReturnType<typeof createGuardStore>;

/** @throws AppError validation_error when `filters` set `on_failure` of a guard to `allow`, although the project's policy sets it to `block` */
function requireNotLooser(filters: NewGuardPolicy['filters'], bounds: readonly FilterPin[]): void {
  for (const [index, { plugin_id, on_failure }] of filters.entries()) {
    const bound = bounds.find(({ plugin }) => plugin === decodeId('pl', plugin_id));
    if (bound?.on_failure === 'block' && on_failure === 'allow')
      throw invalidField(`filters.${index}.on_failure`, `must not be less strict than the project's, which is "block"`);
  }
}
