import { recordDecision } from '@millwright/audit';
import {
  ACCOUNT_COLUMNS,
  effectiveScopes,
  rolesOf,
  type AccountRow,
  type Caller,
  type Project,
} from '@millwright/auth';
import { encodeId, moveCount, Prisma, type Database, type Tx } from '@millwright/db';
import { recordEvent } from '@millwright/events';
import { OWNER_SCOPES, type DisabledReason, type LockedTrigger, type TriggerRights } from '@millwright/runs/triggers';

/** A trigger that was locked in order to add a firing. */
export interface FiredTrigger extends LockedTrigger {
  project: Project;
  name: string;
  status: 'active' | 'inactive';
  input: string;
  missed: 'skip' | 'once';
  schedule: string | null;
  timezone: string | null;
  starts_at: Date | null;
  ends_at: Date | null;
  next_at: Date | null;
}

/** The data that is needed to verify a post to an address. The secrets are encrypted. */
export interface PostTrigger {
  id: string;
  signature: 'standard' | 'github' | 'stripe';
  secret: string;
  /** The previous secret; null after the overlap that follows a rotation. */
  former_secret: string | null;
}

/** The template of a trigger's message, with the fields of the trigger that are needed to check the message. */
export interface TriggerTemplate {
  name: string;
  input: string;
  project: Project;
  /** Slug of the agent that the trigger starts. */
  agent: string;
  actor: Caller['actor'];
}

/** The fields of a trigger from which the caller of its runs is made. */
export interface OwnedTrigger {
  id: string;
  project: Project;
  name: string;
  owner_id: string;
  rights: TriggerRights;
}

const FIRED = Prisma.raw(
  'id, project, name, status, input, overlap, context, missed, schedule, timezone, starts_at, ends_at, next_at',
);

/** Limit of the triggers that one scan fires. When it is reached, the next scan follows immediately. */
const MOST_AT_ONCE = 20;

const BY_ADDRESS = `
  SELECT id, signature, secret, CASE WHEN former_until > now() THEN former_secret END AS former_secret
    FROM triggers WHERE address = $1`;

/** Returns those scopes of the owner's credential that the owner's account still has. */
function scopesNow(row: AccountRow, { scopes }: TriggerRights): ReadonlySet<string> {
  return effectiveScopes(scopes, rolesOf(row));
}

/** Reads triggers and changes them when they fire in the runtime API. */
export function createTriggerStore(db: Database) {
  return {
    mostAtOnce: MOST_AT_ONCE,

    async findByAddress(address: string): Promise<PostTrigger | undefined> {
      const [row] = await db.prepared<PostTrigger>('find-trigger-by-address', BY_ADDRESS, [address]);
      return row;
    },

    /** Finds the template of a trigger's message. `actor` is the trigger's owner, whom audit rows about posts name. */
    async findTemplate(id: string): Promise<TriggerTemplate | undefined> {
      const [row] = await db.prepared<Omit<TriggerTemplate, 'actor'> & { owner_id: string }>(
        'find-trigger-template',
        'SELECT name, input, project, agent, owner_id FROM triggers WHERE id = $1',
        [id],
      );
      return row && { ...row, actor: actorOf(row) };
    },

    async lock(tx: Tx, id: string): Promise<FiredTrigger | undefined> {
      const [row] = await tx.$queryRaw<FiredTrigger[]>`
        SELECT ${FIRED} FROM triggers WHERE id = ${id}::uuid FOR UPDATE`;
      return row;
    },

    /** Locks due triggers, except those that another process is firing now. */
    async lockDue(tx: Tx): Promise<{ now: Date; due: FiredTrigger[] }> {
      const due = await tx.$queryRaw<FiredTrigger[]>`
        SELECT ${FIRED} FROM triggers WHERE next_at <= now() ORDER BY next_at LIMIT ${MOST_AT_ONCE} FOR UPDATE SKIP LOCKED`;
      const [clock] = await tx.$queryRaw<{ now: Date }[]>`SELECT now() AS now`;
      return { now: clock?.now ?? new Date(), due };
    },

    async setNext(tx: Tx, id: string, next: Date | undefined): Promise<void> {
      await tx.$executeRaw`UPDATE triggers SET next_at = ${next ?? null} WHERE id = ${id}::uuid`;
    },

    /**
     * The caller of a trigger's runs: the trigger's owner, limited to the scopes of the credential that last changed the trigger. Locks the
     * account until the transaction ends.
     *
     * @returns undefined when the owner may no longer run the trigger
     */
    async lockCaller(tx: Tx, { project, name, owner_id, rights }: OwnedTrigger): Promise<Caller | undefined> {
      const [row] = await tx.$queryRaw<(AccountRow & { in_project: boolean })[]>`
        SELECT ${Prisma.raw(ACCOUNT_COLUMNS)}, u.role = 'admin' OR u.project = ${project} AS in_project
          FROM users u WHERE u.id = ${owner_id}::uuid FOR SHARE OF u`;
      if (!row?.in_project || row.user_status !== 'active') return undefined;
      const scopes = scopesNow(row, rights);
      if (!OWNER_SCOPES.every((scope) => scopes.has(scope))) return undefined;
      const { mcpTools } = rights;
      return { project, actor: actorOf({ owner_id, name }), scopes, ...(mcpTools && { mcpTools }) };
    },

    /** Stores the conversation that the trigger's runs share. @returns false when another conversation was stored in the meantime */
    async keepContext(tx: Tx, id: string, contextId: string): Promise<boolean> {
      const kept = await tx.$executeRaw`
        UPDATE triggers SET context_id = ${contextId}::uuid
         WHERE id = ${id}::uuid AND (context_id IS NULL OR context_id = ${contextId}::uuid)`;
      return kept > 0;
    },

    /** Clears the shared conversation, so that the next run starts a new conversation. */
    async forgetContext(tx: Tx, id: string, contextId: string): Promise<void> {
      await tx.$executeRaw`
        UPDATE triggers SET context_id = NULL WHERE id = ${id}::uuid AND context_id = ${contextId}::uuid`;
    },

    /** Counts consecutive failures, and disables a trigger at the limit. */
    async noteOutcome(tx: Tx, id: string, outcome: 'completed' | 'failed'): Promise<void> {
      if (outcome === 'completed') {
        await tx.$executeRaw`UPDATE triggers SET failures = 0 WHERE id = ${id}::uuid AND failures > 0`;
        return;
      }
      const [row] = await tx.$queryRaw<{ failures: number; max_failures: number }[]>`
        UPDATE triggers SET failures = failures + 1 WHERE id = ${id}::uuid RETURNING failures, max_failures`;
      if (row && row.failures >= row.max_failures) await disable(tx, id, 'failing');
    },

    disable,
  };
}
export type TriggerStore = ReturnType<typeof createTriggerStore>;

const actorOf = ({ owner_id, name }: Pick<OwnedTrigger, 'owner_id' | 'name'>) =>
  ({ userId: owner_id, kind: 'job', label: name }) as const;

/** Disables a trigger, writes an audit row, and reports the event to webhooks. */
async function disable(tx: Tx, id: string, reason: DisabledReason): Promise<void> {
  const [row] = await tx.$queryRaw<(Omit<OwnedTrigger, 'rights'> & { failures: number })[]>`
    UPDATE triggers SET status = 'inactive', disabled_reason = ${reason}, next_at = NULL, version = version + 1, updated_at = now()
     WHERE id = ${id}::uuid AND status = 'active' RETURNING id, project, name, owner_id, failures`;
  if (!row) return;
  const { project, name, owner_id, failures } = row;
  const resource = encodeId('trg', id);
  await moveCount(tx, { project, kind: 'triggers', status: 'active' }, 'inactive');
  const actor = actorOf({ owner_id, name });
  await recordDecision(tx, { actor, action: 'trigger.disable', resource, project, detail: { name, reason, failures } });
  await recordEvent(tx, {
    ...{ project, type: 'trigger.disabled', subject: resource },
    data: { trigger: resource, name, reason, failures },
  });
}
