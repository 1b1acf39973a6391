import type { Caller } from '@millwright/auth';
import { encodeId, isUniqueViolation, newId, type Target, type Tx, type Versioned } from '@millwright/db';
import { invalidField } from '@millwright/errors';
import { defineRecords } from '@millwright/records';
import { reserveSlug, slugify } from '../slug.js';
import type { ContentChanges, ContentItem, NewContentItem } from './content.schema.js';

interface ContentRow {
  id: string;
  title: string;
  body: string;
  tags: string[];
  status: string;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** The fields of a new content item, as every service passes them. */
export interface NewContentRow {
  title: string;
  body: string;
  tags: string[];
  /** Slug, unique in the project and source. When no slug is given, it is derived from the title. */
  slug?: string | undefined;
  /** The collection of the item. */
  source: string;
  kind?: string;
  public?: boolean;
}

/** The collection of the items that the platform API creates. */
const PLATFORM_SOURCE = 'platform';

function toResponse({ id, title, body, tags, status, created_at, updated_at }: ContentRow): ContentItem {
  return {
    id: encodeId('ct', id),
    title,
    body,
    tags,
    status: status === 'active' ? 'active' : 'inactive',
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

/** Content items in the form of the platform API's answers. */
export const CONTENT = defineRecords<ContentRow, ContentItem>({
  table: 'content_items',
  prefix: 'ct',
  noun: 'content',
  columns: 'r.id, r.title, r.body, r.tags, r.status, r.version, r.created_at, r.updated_at',
  bytes: 'octet_length(r.body)',
  toResponse,
});

/** Creates a content item and its audit row, and increments the total of items. @throws AppError validation_error when the slug is taken. */
export async function insertContent(tx: Tx, caller: Caller, { slug: requested, ...input }: NewContentRow) {
  const id = newId();
  const { project } = caller;
  const { source } = input;
  const slug =
    requested ??
    (await reserveSlug(
      tx,
      `content-slug:${project}:${source}`,
      slugify(input.title) || CONTENT.idOf(id),
      (candidates) =>
        tx.contentItem.findMany({ where: { project, source, slug: { in: candidates } }, select: { slug: true } }),
    ));
  return CONTENT.create(
    tx,
    caller,
    (columns) =>
      tx.contentItem.create({ data: { ...input, ...columns, slug } }).catch((error: unknown) => {
        throw isUniqueViolation(error) ? invalidField('slug', 'is taken') : error;
      }),
    ({ title }) => ({ title, slug, source }),
    id,
  );
}

/** Creates a content item in the platform API's collection. */
export async function createContentRecord(
  tx: Tx,
  caller: Caller,
  input: NewContentItem,
): Promise<Versioned<ContentItem>> {
  return CONTENT.toVersioned(await insertContent(tx, caller, { ...input, source: PLATFORM_SOURCE }));
}

/**
 * Sets the given fields. When no field is given, the record stays unchanged.
 * @throws AppError not_found when the item does not exist, precondition_failed when `If-Match` names other versions
 */
export async function changeContentRecord(
  tx: Tx,
  caller: Caller,
  target: Target,
  changes: ContentChanges,
): Promise<Versioned<ContentItem>> {
  const current = await CONTENT.lock(tx, caller, target);
  const where = { id: current.id };
  const fields = Object.keys(changes);
  if (fields.length === 0) return CONTENT.toVersioned(await tx.contentItem.findUniqueOrThrow({ where }));
  const row = await CONTENT.change(
    tx,
    caller,
    current,
    (next) => tx.contentItem.update({ where, data: { ...changes, ...next } }),
    () => ({ fields }),
  );
  return CONTENT.toVersioned(row);
}
