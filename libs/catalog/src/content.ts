import type { Caller, Project } from '@millwright/auth';
import { recordDecision } from '@millwright/audit';
import { addToCount, encodeId, isUniqueViolation, newId, type Tx } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { slugCandidates, slugify } from './slug.js';

/** Content as any area creates it. */
export interface NewContentRow {
  title: string;
  body: string;
  tags: string[];
  /** Unique in the project and source. Made from the title when it is left out. */
  slug?: string | undefined;
  /** The collection it belongs to. */
  source: string;
  kind?: string;
  public?: boolean;
}

/** Creates a content item with its count and its audit row. @throws AppError validation_error when the slug is taken. */
export async function insertContent(tx: Tx, { project, actor }: Caller, { slug: wanted, ...input }: NewContentRow) {
  const id = newId();
  const resource = encodeId('ct', id);
  const slug = wanted ?? (await reserveSlug(tx, project, input.source, slugify(input.title) || resource));
  const now = new Date();
  const data = { ...input, id, slug, project, created_by: actor.userId, created_at: now, updated_at: now };
  const row = await tx.contentItem.create({ data }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? invalidField('slug', 'is taken') : error;
  });
  await addToCount(tx, { project, kind: 'content_items', status: row.status }, 1);
  const detail = { title: row.title, slug, source: row.source };
  await recordDecision(tx, { actor, action: 'content.create', resource, project, detail });
  return row;
}

/** How many candidates are looked up at first. */
const SLUGS_AT_FIRST = 8;

/** A slug free in the project and source; others who could come to want the same one wait for this transaction. */
async function reserveSlug(tx: Tx, project: Project, source: string, base: string): Promise<string> {
  const stem = base.replace(/(-\d+)+$/, '');
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`content-slug:${project}:${source}:${stem}`}, 0))`;
  for (let count = SLUGS_AT_FIRST; ; count *= 8) {
    const candidates = slugCandidates(base, count);
    const where = { project, source, slug: { in: candidates } };
    const taken = new Set((await tx.contentItem.findMany({ where, select: { slug: true } })).map(({ slug }) => slug));
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
