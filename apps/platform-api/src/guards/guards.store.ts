import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { decodeId, lockRecord, newId, type Database, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { effectivePolicy, looserThan, type GuardPolicy as Policy } from '@millwright/guards';
import type { AgentGuardPolicy, GuardPolicy, NewGuardPolicy } from './guards.contract.js';

interface PolicyRow {
  agent_id: string | null;
  rules: GuardPolicy['rules'];
  phone_countries: string[];
  updated_at: Date;
}

/** Audit resource of a project's guards. */
const GUARDS = 'guards';

const NONE: GuardPolicy = { rules: {}, phone_countries: [], updated_at: null };

const toResponse = (row: PolicyRow | undefined): GuardPolicy =>
  row ? { rules: row.rules, phone_countries: row.phone_countries, updated_at: row.updated_at.toISOString() } : NONE;

function toAgentResponse(rows: readonly PolicyRow[]): AgentGuardPolicy {
  const policies: Policy[] = rows.map(({ rules, phone_countries }) => ({ rules, phone_countries }));
  const { rules, phone_countries } = effectivePolicy(policies);
  const own = toResponse(rows.find(({ agent_id }) => agent_id !== null));
  return { ...own, effective: { rules, phone_countries: [...phone_countries] } };
}

/** The guards of projects and agents. */
export function createGuardStore(db: Database) {
  const list = (tx: Pick<Tx, '$queryRaw'>, project: Project, agentUuid: string | null): Promise<PolicyRow[]> =>
    tx.$queryRaw<PolicyRow[]>`
      SELECT agent_id, rules, phone_countries, updated_at FROM guard_policies
       WHERE (project = ${project} AND agent_id IS NULL) OR agent_id = ${agentUuid}::uuid`;

  const put = (tx: Tx, project: Project, agentUuid: string | null, { rules, phone_countries }: NewGuardPolicy) =>
    tx.$executeRaw`
      INSERT INTO guard_policies (id, project, agent_id, rules, phone_countries)
      VALUES (${newId()}::uuid, ${project}, ${agentUuid}::uuid, ${JSON.stringify(rules)}::jsonb, ${phone_countries}::text[])
      ON CONFLICT (project, (coalesce(agent_id, '00000000-0000-0000-0000-000000000000'))) DO UPDATE
        SET rules = excluded.rules, phone_countries = excluded.phone_countries, version = guard_policies.version + 1, updated_at = now()`;

  return {
    ofProject: async (project: Project): Promise<GuardPolicy> => toResponse((await list(db.prisma, project, null))[0]),

    async setProject(tx: Tx, { project, actor }: Caller, policy: NewGuardPolicy): Promise<GuardPolicy> {
      await put(tx, project, null, policy);
      await recordDecision(tx, { actor, project, action: 'guards.update', resource: GUARDS, detail: { ...policy } });
      return toResponse((await list(tx, project, null))[0]);
    },

    /** `undefined` when the project has no such agent. */
    async ofAgent(project: Project, id: string): Promise<AgentGuardPolicy | undefined> {
      const uuid = decodeId('ag', id);
      const agent = uuid && (await db.prisma.agent.findFirst({ where: { id: uuid, project }, select: { id: true } }));
      return agent ? toAgentResponse(await list(db.prisma, project, agent.id)) : undefined;
    },

    /** @throws AppError not_found; validation_error for rules that are less strict than the project's */
    async setAgent(tx: Tx, { project, actor }: Caller, id: string, policy: NewGuardPolicy): Promise<AgentGuardPolicy> {
      const { id: uuid } = await lockRecord(tx, 'agents', project, decodeId('ag', id), undefined);
      const [ofProject] = await list(tx, project, null);
      const looser = looserThan(policy.rules, ofProject?.rules ?? {});
      if (looser)
        throw invalidField(
          `rules.${looser.guard}.${looser.point}`,
          `must not be less strict than the project's, which is "${looser.bound}"`,
        );
      await put(tx, project, uuid, policy);
      await recordDecision(tx, { actor, project, action: 'agent.set_guards', resource: id, detail: { ...policy } });
      return toAgentResponse(await list(tx, project, uuid));
    },
  };
}
export type GuardStore = ReturnType<typeof createGuardStore>;
