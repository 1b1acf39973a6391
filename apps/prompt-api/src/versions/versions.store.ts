import type { Caller, Project } from '@millwright/auth';
import { recordDecision, recordDenial } from '@millwright/audit';
import type { Database, Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import type { StoredPrompt } from '../prompts/prompts.store.js';
import type { Label, LabelMove, VersionQuery } from './versions.contract.js';

/** Each version as a prompt of its own time: it was last updated when it was made, by who made it. */
const COLUMNS =
  'r.id, v.version, v.author, r.created_at, v.created_at AS updated_at, v.instruction, v.input, v.output, v.metadata';
const OF_PROMPT = 'r.id = $1::uuid AND r.project = $2';

/** Which label a request moves. */
export interface LabelTarget {
  promptId: string;
  name: string;
}

/** Who moves a label. */
export interface Mover extends Caller {
  mayMoveProtected: boolean;
}

/** Protected from its first version on. */
const PRODUCTION = 'production';

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

/** The only file that reads past versions and reads and moves labels. Every function sees one project and nothing else. */
export function createVersionStore(db: Database) {
  /** Until the transaction ends, the prompt is neither deleted nor given another version. @throws AppError not_found */
  async function holdPrompt(tx: Tx, project: Project, id: string): Promise<void> {
    const held = await tx.$queryRaw<
      object[]
    >`SELECT 1 FROM prompts WHERE id = ${id}::uuid AND project = ${project} FOR UPDATE`;
    if (held.length === 0) throw new AppError('not_found');
  }

  /** @throws AppError forbidden, which is recorded */
  async function requireProtector(mover: Mover, { promptId, name }: LabelTarget, action: string): Promise<void> {
    if (mover.mayMoveProtected) return;
    const { project, actor } = mover;
    const denied = { actor, action, resource: promptId, project, detail: { label: name } };
    await recordDenial(db, denied, 'the label is protected');
    throw new AppError('forbidden');
  }

  /** @throws AppError forbidden, validation_error without a reason */
  async function requireProtectedMove(mover: Mover, target: LabelTarget, action: string, reason?: string) {
    await requireProtector(mover, target, action);
    if (reason === undefined)
      throw invalidField('reason', `is required, because the label ${target.name} is protected`);
  }

  return {
    /**
     * Holds a prompt that is to be deleted, its labels with it, until the transaction ends.
     *
     * @throws AppError not_found; forbidden, which is recorded, and validation_error without a reason, while a label is protected.
     */
    async holdForDeletion(tx: Tx, mover: Mover, promptId: string, reason?: string): Promise<void> {
      await holdPrompt(tx, mover.project, promptId);
      const where = { prompt_id: promptId, protected: true };
      const label = await tx.promptLabel.findFirst({ where, orderBy: { name: 'asc' }, select: { name: true } });
      if (label) await requireProtectedMove(mover, { promptId, name: label.name }, 'prompt.delete', reason);
    },

    async find(project: Project, id: string, version: number): Promise<StoredPrompt | undefined> {
      const text = `SELECT ${COLUMNS} FROM prompts r JOIN prompt_versions v ON v.prompt_id = r.id AND v.version = $3::int WHERE ${OF_PROMPT}`;
      const [row] = await db.prepared<StoredPrompt>('find-prompt-version', text, [id, project, version]);
      return row;
    },

    /** The version that a label points at now: one statement, so that a moved label is served from the next request on. */
    async findLabelled(project: Project, id: string, label: string): Promise<StoredPrompt | undefined> {
      const text = `SELECT ${COLUMNS} FROM prompts r JOIN prompt_labels l ON l.prompt_id = r.id AND l.name = $3
        JOIN prompt_versions v ON v.prompt_id = r.id AND v.version = l.version WHERE ${OF_PROMPT}`;
      const [row] = await db.prepared<StoredPrompt>('find-prompt-labelled', text, [id, project, label]);
      return row;
    },

    /** Newest first; versions are numbered without a gap, so the newest number is the total. */
    async list(
      project: Project,
      id: string,
      { page, limit }: VersionQuery,
    ): Promise<{ versions: StoredPrompt[]; total: number } | undefined> {
      const prompt = await db.prisma.prompt.findFirst({ where: { id, project }, select: { version: true } });
      if (!prompt) return undefined;
      const text = `SELECT ${COLUMNS} FROM prompts r JOIN prompt_versions v ON v.prompt_id = r.id
        WHERE ${OF_PROMPT} AND v.version <= $3 ORDER BY v.version DESC LIMIT $4`;
      const newest = prompt.version - (page - 1) * limit;
      const versions = await db.prepared<StoredPrompt>('list-prompt-versions', text, [id, project, newest, limit]);
      return { versions, total: prompt.version };
    },

    async listLabels(project: Project, id: string): Promise<Label[] | undefined> {
      const prompt = await db.prisma.prompt.findFirst({
        where: { id, project },
        select: { labels: { orderBy: { name: 'asc' } } },
      });
      return prompt?.labels.map(toLabel);
    },

    /** @throws AppError not_found, validation_error when the prompt has no such version, forbidden for a protected label. */
    async moveLabel(
      tx: Tx,
      mover: Mover,
      target: LabelTarget,
      { version, reason, protected: wanted }: LabelMove,
    ): Promise<Label> {
      const { project, actor } = mover;
      const { promptId, name } = target;
      await holdPrompt(tx, project, promptId);
      const known = await tx.promptVersion.count({ where: { prompt_id: promptId, version } });
      if (known === 0) throw invalidField('version', 'does not exist');
      const where = { prompt_id_name: { prompt_id: promptId, name } };
      const before = await tx.promptLabel.findUnique({ where, select: { version: true, protected: true } });
      if (before?.protected) await requireProtectedMove(mover, target, 'prompt.label', reason);
      if (wanted !== undefined) await requireProtector(mover, target, 'prompt.label');
      const isProtected = wanted ?? before?.protected ?? name === PRODUCTION;
      const fields = {
        version,
        protected: isProtected,
        author: actor.label,
        moved_by: actor.userId,
        updated_at: new Date(),
      };
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

    /** @throws AppError not_found, forbidden for a protected label */
    async removeLabel(tx: Tx, mover: Mover, target: LabelTarget, reason?: string): Promise<void> {
      const { project, actor } = mover;
      const { promptId, name } = target;
      await holdPrompt(tx, project, promptId);
      const where = { prompt_id_name: { prompt_id: promptId, name } };
      const label = await tx.promptLabel.findUnique({ where, select: { protected: true } });
      if (!label) throw new AppError('not_found');
      if (label.protected) await requireProtectedMove(mover, target, 'prompt.unlabel', reason);
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
