import type { Caller, Project } from '@millwright/auth';
import { recordDecision, recordDenial, type AuditEntry } from '@millwright/audit';
import type { Database, Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { equals, listPage, partOf, type ListSource } from '@millwright/records';
import { readVersion, VERSION_BYTES, type StoredPrompt, type VersionRow } from './prompts.store.js';
import type { PageQuery } from '../metadata/list.contract.js';
import type { Label, LabelMove } from './versions.contract.js';

/** SQL for the columns of a version in the form of a prompt. The times and the author are those of the version. */
const COLUMNS =
  'r.id, v.version, v.author, r.created_at, v.created_at AS updated_at, v.instruction, v.input, v.output, v.model_parameters, v.metadata';
const OF_PROMPT = 'r.id = $1::uuid AND r.project = $2 AND r.deleted_at IS NULL';
const PROMPT_VERSIONS: ListSource = {
  name: 'prompt-versions',
  table: 'prompt_versions',
  alias: 'v',
  columns: COLUMNS,
  join: 'JOIN prompts r ON r.id = v.prompt_id',
  bytes: VERSION_BYTES,
  key: ['prompt_id', 'version'],
};

/** The label that a request moves. */
export interface LabelTarget {
  promptId: string;
  name: string;
}

/** The caller of a request that moves a label. */
export interface Mover extends Caller {
  mayMoveProtected: boolean;
}

/** Name of the label that is protected by default. */
const PRODUCTION = 'production';

/** Maximum number of a prompt's labels. */
const MOST_LABELS = 100;

/** The error for a caller who must not change a protected label. */
class ProtectedLabel extends AppError {
  /** Audit entry of the refused attempt. */
  readonly denied: AuditEntry;

  constructor(denied: AuditEntry) {
    super('forbidden');
    this.denied = denied;
  }
}

type LabelRow = NonNullable<Awaited<ReturnType<Tx['promptLabel']['findUnique']>>>;

function toLabel({ prompt_id, name, version, protected: isProtected, updated_at, author }: LabelRow): Label {
  return {
    name,
    version,
    protected: isProtected,
    prompt: prompt_id,
    updated: updated_at.toISOString(),
    author,
    _link: `/v1/prompt/${prompt_id}/label/${name}`,
  };
}

/** Past versions of prompts, and labels. Every function accesses only one project. */
export function createVersionStore(db: Database) {
  /** Locks the prompt until the transaction ends, so that no other transaction deletes it or adds a version. @throws AppError not_found */
  async function lockPrompt(tx: Tx, project: Project, id: string): Promise<void> {
    const locked = await tx.$queryRaw<
      object[]
    >`SELECT 1 FROM prompts WHERE id = ${id}::uuid AND project = ${project} AND deleted_at IS NULL FOR UPDATE`;
    if (locked.length === 0) throw new AppError('not_found');
  }

  /** Refuses a caller who must not change protected labels. @throws ProtectedLabel */
  function requireProtector(mover: Mover, { promptId, name }: LabelTarget, action: string): void {
    if (mover.mayMoveProtected) return;
    const { project, actor } = mover;
    throw new ProtectedLabel({ actor, action, resource: promptId, project, detail: { label: name } });
  }

  /** Refuses a change of a protected label without permission or reason. @throws ProtectedLabel; AppError validation_error without a reason */
  function requireProtectedMove(mover: Mover, target: LabelTarget, action: string, reason?: string): void {
    requireProtector(mover, target, action);
    if (reason === undefined)
      throw invalidField('reason', `is required, because the label ${target.name} is protected`);
  }

  return {
    /**
     * Awaits a change, and records its refusal after the transaction of the change has ended. Within that transaction, the record would need a second
     * database connection while the prompt is locked.
     */
    async recordingRefusals<Result>(change: Promise<Result>): Promise<Result> {
      return change.catch(async (error: unknown) => {
        if (error instanceof ProtectedLabel) await recordDenial(db, error.denied, 'the label is protected');
        throw error;
      });
    },

    /**
     * Locks a prompt that is to be deleted, and its labels, until the transaction ends.
     *
     * @throws AppError not_found; while a label is protected: forbidden, or validation_error when `reason` is missing.
     */
    async lockForDeletion(tx: Tx, mover: Mover, promptId: string, reason?: string): Promise<void> {
      await lockPrompt(tx, mover.project, promptId);
      const where = { prompt_id: promptId, protected: true };
      const label = await tx.promptLabel.findFirst({ where, orderBy: { name: 'asc' }, select: { name: true } });
      if (label) requireProtectedMove(mover, { promptId, name: label.name }, 'prompt.delete', reason);
    },

    async find(project: Project, id: string, version: number): Promise<StoredPrompt | undefined> {
      const text = `SELECT ${COLUMNS} FROM prompts r JOIN prompt_versions v ON v.prompt_id = r.id AND v.version = $3::int WHERE ${OF_PROMPT}`;
      const [row] = await db.prepared<VersionRow>('find-prompt-version', text, [id, project, version]);
      return row && readVersion(row);
    },

    /** Returns the version that a label points at. Nothing is cached, so that a moved label applies from the next request on. */
    async findLabelled(project: Project, id: string, label: string): Promise<StoredPrompt | undefined> {
      const text = `SELECT ${COLUMNS} FROM prompts r JOIN prompt_labels l ON l.prompt_id = r.id AND l.name = $3
        JOIN prompt_versions v ON v.prompt_id = r.id AND v.version = l.version WHERE ${OF_PROMPT}`;
      const [row] = await db.prepared<VersionRow>('find-prompt-labelled', text, [id, project, label]);
      return row && readVersion(row);
    },

    /** Lists newest first; versions are numbered without a gap, so the newest number is the total. */
    async list(project: Project, id: string, { page, limit, skip }: PageQuery) {
      const prompt = await db.prisma.prompt.findFirst({
        where: { id, project, deleted_at: null },
        select: { version: true },
      });
      if (!prompt) return undefined;
      const { rows, ...found } = await listPage<VersionRow>(db.reads, PROMPT_VERSIONS, {
        conditions: [equals('v.prompt_id', id)],
        sort: 'version',
        direction: 'desc',
        ...partOf(page, limit, skip),
        total: () => Promise.resolve(prompt.version),
      });
      return { items: rows.map(readVersion), ...found };
    },

    async listLabels(project: Project, id: string): Promise<Label[] | undefined> {
      const prompt = await db.prisma.prompt.findFirst({
        where: { id, project, deleted_at: null },
        select: { labels: { orderBy: { name: 'asc' } } },
      });
      return prompt?.labels.map(toLabel);
    },

    /**
     * @throws AppError `not_found`; `validation_error` for an unknown version or too many labels; `forbidden` for a protected label
     */
    async moveLabel(
      tx: Tx,
      mover: Mover,
      target: LabelTarget,
      { version, reason, protected: wanted }: LabelMove,
    ): Promise<Label> {
      const { project, actor } = mover;
      const { promptId, name } = target;
      await lockPrompt(tx, project, promptId);
      const known = await tx.promptVersion.count({ where: { prompt_id: promptId, version } });
      if (known === 0) throw invalidField('version', 'does not exist');
      const where = { prompt_id_name: { prompt_id: promptId, name } };
      const before = await tx.promptLabel.findUnique({ where, select: { version: true, protected: true } });
      if (before?.protected) requireProtectedMove(mover, target, 'prompt.label', reason);
      if (wanted !== undefined) requireProtector(mover, target, 'prompt.label');
      if (!before && (await tx.promptLabel.count({ where: { prompt_id: promptId } })) >= MOST_LABELS)
        throw invalidField(
          'name',
          `is the label ${MOST_LABELS + 1} of the prompt, which may have ${MOST_LABELS}: remove one`,
        );
      const isProtected = wanted ?? before?.protected ?? name === PRODUCTION;
      const fields = { version, protected: isProtected, author: actor.label, moved_by: actor.userId };
      const row = await tx.promptLabel.upsert({
        where,
        create: { ...fields, prompt_id: promptId, name },
        update: fields,
      });
      const detail = {
        label: name,
        from: before?.version ?? null,
        to: version,
        ...(wanted !== undefined && { protected: wanted }),
        ...(reason !== undefined && { reason }),
      };
      await recordDecision(tx, { actor, action: 'prompt.label', resource: promptId, project, detail });
      return toLabel(row);
    },

    /** @throws AppError `not_found`; `forbidden` for a protected label */
    async removeLabel(tx: Tx, mover: Mover, target: LabelTarget, reason?: string): Promise<void> {
      const { project, actor } = mover;
      const { promptId, name } = target;
      await lockPrompt(tx, project, promptId);
      const where = { prompt_id_name: { prompt_id: promptId, name } };
      const label = await tx.promptLabel.findUnique({ where, select: { protected: true } });
      if (!label) throw new AppError('not_found');
      if (label.protected) requireProtectedMove(mover, target, 'prompt.unlabel', reason);
      await tx.promptLabel.delete({ where });
      await recordDecision(tx, {
        actor,
        action: 'prompt.unlabel',
        resource: promptId,
        project,
        detail: { label: name, ...(reason !== undefined && { reason }) },
      });
    },
  };
}
export type VersionStore = ReturnType<typeof createVersionStore>;
