import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { effectiveRule, suggestedRule, type ToolRule, type UnmarkedTools } from '@millwright/auth/tool-rules';
import { decodeId, encodeId, lockRecord, Prisma, type Database, type Target, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import { AVAILABLE } from '@millwright/mcp';
import type {
  AgentRule,
  McpToolRule,
  NewAgentRule,
  NewMcpToolRules,
  NewPluginRule,
  NewToolPolicy,
  PluginRule,
  ToolPolicy,
} from './tool-rules.contract.js';

interface PolicyRow {
  unmarked_tools: UnmarkedTools;
  other_decider: boolean;
  updated_at: Date;
}

interface MarkRow {
  rule: ToolRule | null;
  is_current: boolean;
  other_decider: boolean;
  unmarked_tools: UnmarkedTools | null;
}

interface RepeatableRow extends MarkRow {
  repeatable: boolean;
}

interface ToolRow extends RepeatableRow {
  name: string;
  hash: Buffer;
  annotations: Record<string, unknown> | null;
}

/** Name of a project's policy in the audit log. */
const POLICY = 'tool-policy';

const TOOLS = Prisma.raw(`
  SELECT t.name, t.approved_hash AS hash, t.rule, coalesce(t.rule_hash = t.approved_hash, false) AS is_current, t.other_decider,
         coalesce(t.repeatable_hash = t.approved_hash, false) AS repeatable,
         t.approved_members -> 'annotations' AS annotations, p.unmarked_tools
    FROM mcp_servers s JOIN mcp_tools t ON t.server_id = s.id LEFT JOIN tool_policies p ON p.project = s.project
   WHERE ${AVAILABLE}`);

const PLUGIN = Prisma.raw(`
  SELECT r.rule, r.rule_version IS NOT DISTINCT FROM r.version AS is_current, r.other_decider,
         r.repeatable_version IS NOT DISTINCT FROM r.version AS repeatable, p.unmarked_tools
    FROM plugins r LEFT JOIN tool_policies p ON p.project = r.project`);

const AGENT = Prisma.raw(`
  SELECT r.rule, r.rule_version IS NOT DISTINCT FROM r.version AS is_current, r.other_decider, p.unmarked_tools
    FROM agents r LEFT JOIN tool_policies p ON p.project = r.project`);

/** The rules of tools, plugins and agents, and the policies of projects. `unmarked` is the installation's setting. */
export function createToolRuleStore(db: Database, unmarked: UnmarkedTools) {
  const toMark = ({ rule, is_current, other_decider, unmarked_tools }: MarkRow) => {
    const mark = { rule, isCurrent: is_current, unmarked: unmarked_tools ?? unmarked, asksForAgent: false };
    const effective = effectiveRule(mark, false);
    return { rule, is_current: rule !== null && is_current, other_decider, effective };
  };
  const toRepeatable = (row: RepeatableRow) => ({ repeatable: row.repeatable, ...toMark(row) });

  const toToolRule = ({ name, hash, annotations, ...mark }: ToolRow): McpToolRule => ({
    ...{ name, hash: hash.toString('hex') },
    ...toRepeatable(mark),
    suggested: suggestedRule(annotations ?? undefined),
  });

  const toPolicy = (row: PolicyRow | undefined): ToolPolicy =>
    row
      ? {
          unmarked_tools: row.unmarked_tools,
          other_decider: row.other_decider,
          is_default: false,
          updated_at: row.updated_at.toISOString(),
        }
      : { unmarked_tools: unmarked, other_decider: false, is_default: true, updated_at: null };

  async function rulesOf(tx: Pick<Tx, '$queryRaw'>, serverUuid: string): Promise<McpToolRule[]> {
    const rows = await tx.$queryRaw<(Omit<ToolRow, 'hash'> & { hash: Uint8Array })[]>`
      ${TOOLS} AND s.id = ${serverUuid}::uuid ORDER BY t.name`;
    return rows.map((row) => toToolRule({ ...row, hash: Buffer.from(row.hash) }));
  }

  async function pluginRule(tx: Pick<Tx, '$queryRaw'>, project: Project, id: string): Promise<PluginRule | undefined> {
    const [row] = await tx.$queryRaw<RepeatableRow[]>`
      ${PLUGIN} WHERE r.id = ${decodeId('pl', id) ?? null}::uuid AND r.project = ${project}`;
    return row && toRepeatable(row);
  }

  async function agentRule(tx: Pick<Tx, '$queryRaw'>, project: Project, id: string): Promise<AgentRule | undefined> {
    const [row] = await tx.$queryRaw<MarkRow[]>`
      ${AGENT} WHERE r.id = ${decodeId('ag', id) ?? null}::uuid AND r.project = ${project}`;
    return row && toMark(row);
  }

  return {
    async policy(project: Project): Promise<ToolPolicy> {
      const [row] = await db.prisma.$queryRaw<PolicyRow[]>`
        SELECT unmarked_tools, other_decider, updated_at FROM tool_policies WHERE project = ${project}`;
      return toPolicy(row);
    },

    async setPolicy(tx: Tx, { project, actor }: Caller, policy: NewToolPolicy): Promise<ToolPolicy> {
      const [row] = await tx.$queryRaw<PolicyRow[]>`
        INSERT INTO tool_policies (project, unmarked_tools, other_decider)
        VALUES (${project}, ${policy.unmarked_tools}, ${policy.other_decider})
        ON CONFLICT (project) DO UPDATE SET unmarked_tools = excluded.unmarked_tools, other_decider = excluded.other_decider,
          version = tool_policies.version + 1, updated_at = now()
        RETURNING unmarked_tools, other_decider, updated_at`;
      await recordDecision(tx, {
        actor,
        project,
        action: 'tool_policy.update',
        resource: POLICY,
        detail: { ...policy },
      });
      return toPolicy(row);
    },

    /** Lists the rules of a server's tools; `undefined` when the project has no such server. */
    async listTools(project: Project, serverId: string): Promise<McpToolRule[] | undefined> {
      const uuid = decodeId('ms', serverId);
      const server =
        uuid && (await db.prisma.mcpServer.findFirst({ where: { id: uuid, project }, select: { id: true } }));
      return server ? rulesOf(db.prisma, server.id) : undefined;
    },

    /** @throws AppError not_found; precondition_failed for a tool that is not available with this definition */
    async setToolRules(tx: Tx, caller: Caller, target: Target, { rules }: NewMcpToolRules): Promise<McpToolRule[]> {
      const { project, actor } = caller;
      const { id } = await lockRecord(tx, 'mcp_servers', project, decodeId('ms', target.id), target.ifMatch);
      const changed = await tx.$executeRaw`
        UPDATE mcp_tools t SET rule = w.rule, other_decider = w.other_decider,
               rule_hash = CASE WHEN w.rule IS NULL THEN NULL ELSE t.approved_hash END,
               repeatable_hash = CASE WHEN w.repeatable THEN t.approved_hash WHEN w.repeatable IS NULL THEN t.repeatable_hash END
          FROM json_to_recordset(${JSON.stringify(rules)}::json)
               AS w(name text, hash text, rule text, other_decider boolean, repeatable boolean)
         WHERE t.server_id = ${id}::uuid AND t.name = w.name AND t.approved_hash = decode(w.hash, 'hex') AND ${Prisma.raw(AVAILABLE)}`;
      if (changed !== rules.length) throw new AppError('precondition_failed');
      const entry = { actor, project, action: 'mcp_server.set_tool_rules', resource: target.id };
      await recordDecision(tx, { ...entry, detail: { rules } });
      return rulesOf(tx, id);
    },

    /** Finds the rule of a plugin; `undefined` when the project has no such plugin. */
    findPluginRule: (project: Project, id: string) => pluginRule(db.prisma, project, id),

    /** @throws AppError not_found, precondition_failed */
    async setPluginRule(tx: Tx, caller: Caller, target: Target, mark: NewPluginRule): Promise<PluginRule> {
      const { project, actor } = caller;
      const { id, version } = await lockRecord(tx, 'plugins', project, decodeId('pl', target.id), target.ifMatch);
      const { rule, other_decider, repeatable } = mark;
      await tx.$executeRaw`
        UPDATE plugins SET rule = ${rule}, other_decider = ${other_decider}, rule_version = ${rule === null ? null : version}::int,
               repeatable_version = CASE WHEN ${repeatable ?? null}::boolean THEN ${version}::int
                                         WHEN ${repeatable ?? null}::boolean IS NULL THEN repeatable_version END
         WHERE id = ${id}::uuid`;
      const entry = { actor, project, action: 'plugin.set_rule', resource: encodeId('pl', id) };
      await recordDecision(tx, {
        ...entry,
        detail: { rule, other_decider, version, ...(repeatable !== undefined && { repeatable }) },
      });
      const shown = await pluginRule(tx, project, target.id);
      if (!shown) throw new Error('the plugin is gone though its row is locked');
      return shown;
    },

    /** Finds the rule of an agent; `undefined` when the project has no such agent. */
    findAgentRule: (project: Project, id: string) => agentRule(db.prisma, project, id),

    /** @throws AppError not_found, precondition_failed */
    async setAgentRule(tx: Tx, caller: Caller, target: Target, mark: NewAgentRule): Promise<AgentRule> {
      const { project, actor } = caller;
      const { id, version } = await lockRecord(tx, 'agents', project, decodeId('ag', target.id), target.ifMatch);
      const { rule, other_decider } = mark;
      await tx.$executeRaw`
        UPDATE agents SET rule = ${rule}, other_decider = ${other_decider}, rule_version = ${rule === null ? null : version}::int
         WHERE id = ${id}::uuid`;
      const entry = { actor, project, action: 'agent.set_rule', resource: encodeId('ag', id) };
      await recordDecision(tx, { ...entry, detail: { rule, other_decider, version } });
      const shown = await agentRule(tx, project, target.id);
      if (!shown) throw new Error('the agent is gone though its row is locked');
      return shown;
    },
  };
}
export type ToolRuleStore = ReturnType<typeof createToolRuleStore>;
