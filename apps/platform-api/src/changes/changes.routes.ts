import type { Caller, Principal, Scope } from '@millwright/auth';
import {
  MissingProof,
  recordRefusal,
  type AgentChanges,
  type AgentRules,
  type ContentChanges,
  type NewAgent,
  type NewContentItem,
  type NewSkill,
  type SkillChanges,
} from '@millwright/catalog';
import { decodeId, type Database, type Tx } from '@millwright/db';
import { AppError } from '@millwright/errors';
import {
  forEachChange,
  isRef,
  makeChange,
  Refs,
  requireAccess,
  requireFound,
  route,
  type Route,
} from '@millwright/http';
import type { AgentStore } from '../agents/agents.store.js';
import type { ContentStore } from '../content/content.store.js';
import type { McpServerChanges, NewMcpServer } from '../mcp-servers/mcp-servers.contract.js';
import type { McpServerService } from '../mcp-servers/mcp-servers.service.js';
import { mayApprove } from '../mcp-servers/mcp-servers.service.js';
import { needsProbe, type McpServerStore } from '../mcp-servers/mcp-servers.store.js';
import type { McpProbes } from '../mcp-servers/probes.js';
import type { SkillStore } from '../skills/skills.store.js';
import { makeChanges, type Change } from './changes.contract.js';

export interface ChangeDeps {
  db: Database;
  skills: SkillStore;
  content: ContentStore;
  servers: McpServerStore;
  serverService: McpServerService;
  probes: McpProbes;
  agents: AgentStore;
  agentRules: AgentRules;
}

const SCOPES = {
  skill: 'skills:write',
  content: 'content:write',
  mcp_server: 'mcp:write',
  agent: 'agents:write',
} as const satisfies Record<Change['kind'], Scope>;

/** Fields of an agent that list ids of other records. */
const NAMED = ['skill_ids', 'plugin_ids', 'mcp_server_ids', 'agent_ids'] as const;

/** Replaces refs, which stand for records that the same request creates, by the ids of these records in the fields of an agent. */
function withIds<Fields extends { [Name in (typeof NAMED)[number]]?: string[] | undefined }>(
  fields: Fields,
  refs: Refs,
): Fields {
  const named = NAMED.flatMap((name) => {
    const ids = fields[name];
    return ids ? [[name, ids.map((id) => refs.idOf(id, name))] as const] : [];
  });
  return { ...fields, ...Object.fromEntries(named) };
}

export function changeRoutes({
  db,
  skills,
  content,
  servers,
  serverService,
  probes,
  agents,
  agentRules,
}: ChangeDeps): Route[] {
  /** Makes the checks that must run outside the transaction: checks that use the network, and checks whose refusals are recorded. */
  async function prepare(principal: Principal, caller: Caller, change: Change): Promise<void> {
    if (change.kind !== 'mcp_server' || change.action === 'delete') return;
    // admin-auth requires a recent passkey proof at the paths of MCP servers, but not for POST /changes. So the proof is required here.
    if (caller.lacksProof) throw new AppError('step_up_required', { cause: new MissingProof() });
    if (change.action === 'create') return serverService.requireNew(principal, caller, change.fields);
    const current = isRef(change.id) ? undefined : requireFound(await servers.find(caller.project, change.id)).record;
    await serverService.requireChange(principal, caller, { id: change.id, current }, change.fields);
  }

  function make(tx: Tx, principal: Principal, caller: Caller, change: Change, refs: Refs) {
    switch (change.kind) {
      case 'skill':
        return makeChange<NewSkill, SkillChanges>('platform', change, refs, {
          create: (fields) => skills.create(tx, caller, fields),
          update: (target, fields) => skills.change(tx, caller, target, fields),
          remove: (target) => skills.remove(tx, caller, target),
        });
      case 'content':
        return makeChange<NewContentItem, ContentChanges>('platform', change, refs, {
          create: (fields) => content.create(tx, caller, fields),
          update: (target, fields) => content.change(tx, caller, target, fields),
          remove: (target) => content.remove(tx, caller, target),
        });
      case 'mcp_server':
        return makeChange<NewMcpServer, McpServerChanges>('platform', change, refs, {
          create: (fields) => serverService.create(tx, caller, fields),
          update: (target, fields) =>
            serverService.change(tx, caller, { ...target, isAdmin: mayApprove(principal) }, fields),
          remove: (target) => servers.remove(tx, caller, target),
        });
      case 'agent':
        return makeChange<NewAgent, AgentChanges>('platform', change, refs, {
          create: (fields) => agentRules.create(tx, caller, withIds(fields, refs)),
          update: (target, fields) => agentRules.change(tx, caller, target, withIds(fields, refs)),
          remove: (target) => agents.remove(tx, caller, target),
        });
    }
  }

  return [
    route(makeChanges, async ({ principal, caller, from, body: { changes }, commit }) => {
      const { path, operationId: action } = makeChanges;
      for (const scope of new Set(changes.map(({ kind }) => SCOPES[kind])))
        await requireAccess(db, { scope }, principal, { ...from, path, action });
      let probed: string[] = [];
      const committed = await recordRefusal(db, caller, { action, resource: path }, () =>
        commit(
          async (tx) => {
            const refs = new Refs();
            const made = await forEachChange(changes, (change) => make(tx, principal, caller, change, refs));
            probed = made.flatMap(({ id }, index) => {
              const change = changes[index];
              if (change?.kind !== 'mcp_server' || change.action === 'delete') return [];
              return change.action === 'create' || needsProbe(change.fields) ? [id] : [];
            });
            return { body: { changes: made } };
          },
          () => forEachChange(changes, (change) => prepare(principal, caller, change)),
        ),
      );
      for (const id of new Set(probed)) probes.start(caller.actor, decodeId('ms', id) ?? '');
      return committed;
    }),
  ];
}
