import { randomBytes } from 'node:crypto';
import type { Caller } from '@millwright/auth';
import { BUILT_IN_AGENT } from '@millwright/catalog';
import { toCounted, type RunBudget } from '@millwright/budgets';
import { encodeId, newId, type Target, type Tx, type Versioned } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { isWebhookSecret, newWebhookSecret, WEBHOOK_SECRET_REASON } from '@millwright/events/signatures';
import { reply, type Reply, type StoredReply } from '@millwright/http';
import { nextZonedTime } from '@millwright/jobs/schedules';
import { openTriggerSecret, OWNER_SCOPES, sealTriggerSecret, type TriggerRights } from '@millwright/runs/triggers';
import type { SecretBox } from '@millwright/secrets';
import { z } from 'zod';
import { KEPT, type NewTrigger, type Trigger, type TriggerChanges } from './triggers.contract.js';
import type { LockedTriggerRecord, TriggerColumns, TriggerStore } from './triggers.store.js';

export interface TriggerServiceOptions {
  triggers: TriggerStore;
  secretBox: SecretBox;
}

/** Milliseconds after a rotation in which posts may also be signed with the former secret. */
const OVERLAP_MS = 24 * 3_600_000;

/** Fields that any admin may change, not only the owner, because they do not affect what runs do in the owner's name. */
const ANYBODYS = ['name', 'description', 'status', 'max_failures', 'owner_id'];

const OF_KIND = {
  cron: ['schedule', 'timezone', 'starts_at', 'ends_at', 'missed'],
  webhook: ['signature', 'secret'],
} as const;

const Source = z.object({ trigger: z.string(), secret: z.string().nullable() });

const budgetColumns = (budget: RunBudget | null) => ({
  budget_unit: budget?.unit ?? null,
  budget_amount: budget && toCounted(budget.unit, budget.amount),
});

const dateOf = (text: string | null | undefined) => (typeof text === 'string' ? new Date(text) : text);

/** The rules of triggers: owners, scheduled times, and secrets that are shown once. */
export function createTriggerService({ triggers, secretBox }: TriggerServiceOptions) {
  /** Makes the answer with the secret. The copy of the answer that is stored for repeated requests contains the secret only encrypted. */
  function withSecret({ record, version }: Versioned<Trigger>, uuid: string, made: Made): Reply {
    const { secret, sealed } = made;
    const stored = {
      body: { ...record, secret: secret === null ? null : KEPT },
      source: { trigger: uuid, secret: sealed },
    };
    return { body: { ...record, secret }, version, stored };
  }

  interface Made {
    /** The generated secret; null for a schedule, and when the caller chose the secret. */
    secret: string | null;
    sealed: string | null;
  }

  function makeSecret(uuid: string, given: string | undefined, signature: string | null | undefined) {
    if (given !== undefined && signature === 'standard' && !isWebhookSecret(given))
      throw invalidField('secret', WEBHOOK_SECRET_REASON);
    const secret = given ?? newWebhookSecret();
    return { secret, sealed: sealTriggerSecret(secretBox, uuid, secret) };
  }

  return {
    async create(tx: Tx, caller: Caller, input: NewTrigger): Promise<Reply> {
      const id = newId();
      const rights = rightsOf(caller);
      const { secret: given, starts_at, ends_at, budget, ...fields } = input;
      refuseOtherKind(input.kind, input);
      await requireAgent(tx, caller, input.agent);
      const period = { starts_at: dateOf(starts_at) ?? null, ends_at: dateOf(ends_at) ?? null };
      requirePeriod(period);
      const owned = {
        ...fields,
        ...period,
        ...budgetColumns(budget),
        owner_id: caller.actor.userId,
        rights: { ...rights },
      };
      let made: Made = { secret: null, sealed: null };
      let created: Versioned<Trigger>;
      if (input.kind === 'cron') {
        const { schedule, timezone = 'UTC' } = input;
        if (schedule === undefined) throw invalidField('schedule', 'is required for a trigger of the kind cron');
        const next_at = nextTime({ schedule, timezone, ...period });
        created = await triggers.create(tx, caller, id, {
          ...owned,
          ...{ schedule, timezone, next_at, overlap: input.overlap ?? 'skip' },
        });
      } else {
        const signature = input.signature ?? 'standard';
        made = makeSecret(id, given, signature);
        created = await triggers.create(tx, caller, id, {
          ...owned,
          ...{ signature, secret: made.sealed, address: randomBytes(24).toString('base64url') },
          overlap: input.overlap ?? 'allow',
        });
      }
      const Location = `/api/v1/triggers/${created.record.id}`;
      return { ...withSecret(created, id, made), headers: { Location } };
    },

    async change(tx: Tx, caller: Caller, target: Target, changes: TriggerChanges): Promise<Reply> {
      const current = await triggers.lock(tx, caller, target);
      const fields = Object.keys(changes);
      if (fields.length === 0) return reply(await triggers.read(tx, current));
      refuseOtherKind(current.row.kind === 'cron' ? 'cron' : 'webhook', changes);
      const { owner_id, starts_at, ends_at, budget, ...same } = changes;
      const columns: TriggerColumns = {
        ...same,
        ...(budget !== undefined && budgetColumns(budget)),
        ...(starts_at !== undefined && { starts_at: dateOf(starts_at) }),
        ...(ends_at !== undefined && { ends_at: dateOf(ends_at) }),
        ...ownerChange(caller, current, owner_id, fields),
        ...timeChange(current, changes),
        // Setting the status resets the failure count.
        ...(changes.status !== undefined && { failures: 0, disabled_reason: null }),
      };
      if (changes.agent !== undefined) await requireAgent(tx, caller, changes.agent);
      const isOther = (changes.agent ?? current.row.agent) !== current.row.agent || columns.owner_id !== undefined;
      if (isOther || changes.context === 'new') columns.context_id = null;
      return reply(await triggers.change(tx, caller, current, columns, fields));
    },

    async rotate(tx: Tx, caller: Caller, target: Target, given: string | undefined): Promise<Reply> {
      const current = await triggers.lock(tx, caller, target);
      const { secret: former_secret, signature } = current.row;
      if (former_secret === null)
        throw new AppError('conflict', { fields: [{ field: 'kind', reason: 'is cron, which has no secret' }] });
      const made = makeSecret(current.id, given, signature);
      const former_until = new Date(Date.now() + OVERLAP_MS);
      const columns = { secret: made.sealed, former_secret, former_until };
      return withSecret(await triggers.change(tx, caller, current, columns, ['secret']), current.id, made);
    },

    /** Restores the body of a stored answer with its secret. */
    restore({ body, source }: StoredReply): Promise<unknown> {
      const { trigger, secret } = Source.parse(source);
      const opened = secret === null ? null : openTriggerSecret(secretBox, trigger, secret);
      return Promise.resolve({ ...z.looseObject({}).parse(body), secret: opened });
    },
  };
}
export type TriggerService = ReturnType<typeof createTriggerService>;

/** @throws AppError validation_error when the project has no agent with this slug */
async function requireAgent(tx: Tx, { project }: Caller, slug: string): Promise<void> {
  if (slug === BUILT_IN_AGENT.slug) return;
  const found = await tx.agent.findFirst({ where: { project, slug }, select: { id: true } });
  if (!found) throw invalidField('agent', 'is no agent of the project');
}

/**
 * Returns the rights that a trigger's runs have when this caller owns the trigger.
 * @throws AppError validation_error for `owner_id` when the caller lacks a scope that the runs need
 */
function rightsOf({ scopes = new Set(), mcpTools }: Caller): TriggerRights {
  const missing = OWNER_SCOPES.find((scope) => !scopes.has(scope));
  if (missing !== undefined)
    throw invalidField('owner_id', `needs a credential with the scope ${missing}, which runs of the trigger use`);
  return { scopes: [...scopes], mcpTools: mcpTools ? [...mcpTools] : null };
}

/**
 * Returns the changes of owner and rights that follow from a change of a trigger.
 * @throws AppError validation_error for `owner_id` when it is not the id of the caller, or when it is missing although only the owner may change
 * these fields
 */
function ownerChange(
  caller: Caller,
  { row }: LockedTriggerRecord,
  wanted: string | undefined,
  fields: readonly string[],
): Pick<TriggerColumns, 'owner_id' | 'rights'> {
  const own = encodeId('usr', caller.actor.userId);
  if (wanted !== undefined && wanted !== own)
    throw invalidField('owner_id', 'must be your own id: nobody else can let runs act for them');
  const changesRuns = fields.some((field) => !ANYBODYS.includes(field));
  const isOwner = row.owner_id === caller.actor.userId;
  if (changesRuns && !isOwner && wanted === undefined)
    throw invalidField(
      'owner_id',
      'is required: only the owner changes what runs do. Send your own id to become the owner',
    );
  if (!changesRuns && wanted === undefined) return {};
  return { ...(!isOwner && { owner_id: caller.actor.userId }), rights: { ...rightsOf(caller) } };
}

type Period = Record<'starts_at' | 'ends_at', Date | null>;

function requirePeriod({ starts_at, ends_at }: Period): void {
  if (starts_at && ends_at && ends_at <= starts_at) throw invalidField('ends_at', 'must be later than starts_at');
}

const nextTime = ({ schedule, timezone, starts_at, ends_at }: Period & { schedule: string; timezone: string }) =>
  nextZonedTime({ schedule, timezone, startsAt: starts_at, endsAt: ends_at }, new Date()) ?? null;

/**
 * Returns the next scheduled time after a change of the schedule or the status. Times that passed while the trigger was inactive
 * are skipped.
 */
function timeChange({ row }: LockedTriggerRecord, changes: TriggerChanges): Pick<TriggerColumns, 'next_at'> {
  const { schedule, timezone } = { ...row, ...defined(changes) };
  if (row.kind !== 'cron' || schedule === null || timezone === null) return {};
  const period = {
    starts_at: changes.starts_at === undefined ? row.starts_at : (dateOf(changes.starts_at) ?? null),
    ends_at: changes.ends_at === undefined ? row.ends_at : (dateOf(changes.ends_at) ?? null),
  };
  requirePeriod(period);
  const isMoved = (['schedule', 'timezone', 'starts_at', 'ends_at'] as const).some(
    (field) => changes[field] !== undefined,
  );
  const status = changes.status ?? row.status;
  if (status !== 'active') return { next_at: null };
  return isMoved || row.status !== 'active' ? { next_at: nextTime({ schedule, timezone, ...period }) } : {};
}

const defined = ({ schedule, timezone }: TriggerChanges) => ({
  ...(schedule !== undefined && { schedule }),
  ...(timezone !== undefined && { timezone }),
});

/** @throws AppError validation_error for a field that triggers of this kind do not have */
function refuseOtherKind(kind: 'cron' | 'webhook', given: Partial<Record<string, unknown>>): void {
  const other = kind === 'cron' ? 'webhook' : 'cron';
  const field = OF_KIND[other].find(
    (name) => given[name] !== undefined && !(name === 'missed' && given[name] === 'skip'),
  );
  if (field !== undefined) throw invalidField(field, `is for triggers of the kind ${other}`);
}
