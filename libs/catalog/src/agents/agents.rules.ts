import type { Caller, Project, Scope } from '@millwright/auth';
import { isCovered, type ToolList } from '@millwright/auth/tool-lists';
import type { Target, Tx, Versioned } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { AGENTS, changeAgentRecord, createAgentRecord, lockWithCallees } from './agents.store.js';
import { resolveUsed, type Used } from './agent-relations.store.js';
import type { Agent, AgentChanges, AgentDraft, AgentReplacement, NewAgent } from './agents.schema.js';

/** Cause of a refusal: the endpoint's scope is not enough for the request, and the credential lacks the further scope. */
export class MissingScope extends Error {
  readonly scope: Scope;

  constructor(scope: Scope) {
    super(`scope ${scope} is missing`);
    this.scope = scope;
    this.name = 'MissingScope';
  }
}

/** Cause of a refusal: the console's session has no recent proof by passkey. */
export class MissingProof extends Error {
  constructor() {
    super('no fresh passkey proof');
    this.name = 'MissingProof';
  }
}

/**
 * Scopes that a request needs to attach a record to an agent. The agent uses the record with the secrets that are
 * stored in it, so attaching needs the right to use the record. Callees need no scope, because they run with the rights
 * of the run's user.
 */
export const ATTACHING = { plugins: ['plugins:read'], servers: ['mcp:read', 'mcp:call'] } as const satisfies Record<
  string,
  readonly Scope[]
>;

/**
 * Requires that the credential may use every record that the request adds to the agent.
 * @throws AppError forbidden when the credential may not use one of them.
 */
async function requireMayAttach(
  tx: Tx,
  { scopes }: Caller,
  agentUuid: string | undefined,
  { plugins = [], servers = [] }: Partial<Record<keyof typeof ATTACHING, readonly string[] | undefined>>,
): Promise<void> {
  const missing = (kind: keyof typeof ATTACHING) => ATTACHING[kind].find((scope) => !scopes?.has(scope));
  const [noPlugins, noServers] = [missing('plugins'), missing('servers')];
  const where = { agent_id: agentUuid ?? '' };
  if (noPlugins && plugins.length > 0) {
    const had = agentUuid ? await tx.agentPlugin.findMany({ where }) : [];
    if (plugins.some((id) => !had.some(({ plugin_id }) => plugin_id === id))) throw forbidden(noPlugins);
  }
  if (noServers && servers.length > 0) {
    const had = agentUuid ? await tx.agentMcpServer.findMany({ where }) : [];
    if (servers.some((id) => !had.some(({ server_id }) => server_id === id))) throw forbidden(noServers);
  }
}
/**
 * Refuses an agent's new list of tools that need a person's decision when a tool was removed from the list, unless the
 * caller may do this. Otherwise a program that may write agents could remove the decision. In the console, the change
 * needs a recent proof; elsewhere it needs the scope `admin`.
 *
 * @throws AppError step_up_required without the proof, forbidden without the scope
 */
async function requireNotLooser(tx: Tx, caller: Caller, agentUuid: string, askTools: ToolList): Promise<void> {
  const { ask_tools: before } = await tx.agent.findUniqueOrThrow({
    where: { id: agentUuid },
    select: { ask_tools: true },
  });
  if (isCovered(before, askTools)) return;
  if (caller.lacksProof) throw new AppError('step_up_required', { cause: new MissingProof() });
  if (!caller.credential || caller.credential.kind === 'area_token') return;
  if (caller.scopes?.has('admin') !== true) throw forbidden('admin');
}

const namesItself = () => invalidField('agent_ids', 'must not name the agent itself');
const forbidden = (scope: Scope) =>
  new AppError('forbidden', {
    cause: new MissingScope(scope),
    fields: [{ field: 'scope', reason: `${scope} is missing` }],
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });

type RelationIds = Pick<AgentChanges, 'skill_ids' | 'plugin_ids' | 'mcp_server_ids' | 'agent_ids'>;

export interface AgentRulesOptions {
  /** @throws AppError validation_error when the project has no model of this name */
  requireModel: (tx: Tx, project: Project, name: string) => Promise<void>;
  /** Whether an agent is published when the request does not state it. */
  publishedByDefault: boolean;
}

/**
 * Creates the checks for requests that create or change agents. The model must belong to the project. Skills, plugins, MCP servers and
 * callees must exist in the project. Only a caller that may use a plugin or MCP server can attach it.
 */
export function createAgentRules({ requireModel, publishedByDefault }: AgentRulesOptions) {
  async function requireRelations(tx: Tx, { project }: Caller, ids: RelationIds) {
    const { skill_ids, plugin_ids, mcp_server_ids, agent_ids } = ids;
    /** Returns the UUIDs of the records with these ids, in the same order. */
    const requireAll = async (field: keyof RelationIds, kind: Used, ids: readonly string[] | undefined) => {
      if (!ids) return undefined;
      const found = await resolveUsed(tx, kind, project, ids);
      return ids.map((id) => {
        const uuid = found.get(id);
        if (!uuid) throw invalidField(field, `${id} does not exist`);
        return uuid;
      });
    };
    return {
      skills: await requireAll('skill_ids', 'skills', skill_ids),
      plugins: await requireAll('plugin_ids', 'plugins', plugin_ids),
      servers: await requireAll('mcp_server_ids', 'mcp_servers', mcp_server_ids),
      callees: await requireAll('agent_ids', 'agents', agent_ids),
    };
  }

  async function change(tx: Tx, caller: Caller, target: Target, changes: AgentChanges): Promise<Versioned<Agent>> {
    if (typeof changes.model === 'string') await requireModel(tx, caller.project, changes.model);
    const { skill_ids, plugin_ids, mcp_server_ids, agent_ids, ...fields } = changes;
    if (agent_ids) await lockWithCallees(tx, target.id, agent_ids);
    const relations = await requireRelations(tx, caller, { skill_ids, plugin_ids, mcp_server_ids, agent_ids });
    const current = await AGENTS.lock(tx, caller, target);
    if (changes.ask_tools) await requireNotLooser(tx, caller, current.id, changes.ask_tools);
    if (relations.callees?.includes(current.id)) throw namesItself();
    await requireMayAttach(tx, caller, current.id, relations);
    return changeAgentRecord(tx, caller, current, fields, relations);
  }

  return {
    change,

    replace: (tx: Tx, caller: Caller, target: Target, { published = publishedByDefault, ...body }: AgentReplacement) =>
      change(tx, caller, target, { ...body, published }),

    async create(tx: Tx, caller: Caller, input: NewAgent): Promise<Versioned<Agent>> {
      if (input.model !== null) await requireModel(tx, caller.project, input.model);
      const { skill_ids, plugin_ids, mcp_server_ids, agent_ids, published = publishedByDefault, ...fields } = input;
      const relations = await requireRelations(tx, caller, { skill_ids, plugin_ids, mcp_server_ids, agent_ids });
      await requireMayAttach(tx, caller, undefined, relations);
      return createAgentRecord(tx, caller, { ...fields, published }, relations);
    },

    /**
     * Checks an unsaved agent in the same way as saving the agent would. `savedUuid`: the agent that the draft would
     * change.
     *
     * @throws AppError validation_error, forbidden or step_up_required when saving the agent would be refused
     */
    async checkDraft(tx: Tx, caller: Caller, draft: AgentDraft, savedUuid: string | undefined): Promise<void> {
      if (draft.model !== null) await requireModel(tx, caller.project, draft.model);
      const relations = await requireRelations(tx, caller, draft);
      if (savedUuid !== undefined) await requireNotLooser(tx, caller, savedUuid, draft.ask_tools);
      if (savedUuid !== undefined && relations.callees?.includes(savedUuid)) throw namesItself();
      await requireMayAttach(tx, caller, savedUuid, relations);
    },
  };
}
export type AgentRules = ReturnType<typeof createAgentRules>;
