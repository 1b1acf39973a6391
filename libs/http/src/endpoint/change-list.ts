import type { Area } from '@millwright/errors';
import { AppError, invalidField } from '@millwright/errors';
import type { Target, Versioned } from '@millwright/db';
import { z } from 'zod';
import { entityTag, versionsAllowed } from './conditional.js';

/** Limit of the changes in one request. All changes are made in one transaction, which may keep its locks for four seconds at most. */
export const MOST_CHANGES = 100;

/** Form of a `ref`: the name for a record that a change creates, by which later changes of the same request refer to it. */
const REF = /^@[A-Za-z0-9_-]{1,64}$/;
const Ref = z.string().regex(REF).meta({ description: 'A name, such as `@a`, for later changes of the request' });
const Id = z.string().min(1).max(100).meta({ description: 'Id of the record, or the `ref` of an earlier change' });
const IfMatch = z.string().min(1).max(100).meta({ description: 'The ETag of the version that was read' });

/**
 * The schema of the changes of one kind of record in a request's list. `isId` checks the form of the ids: an id of another form is
 * answered 400. Without `isId`, such an id is answered as not found.
 */
export const changeOf = <Kind extends string, New extends z.ZodType, Changes extends z.ZodType>(
  kind: Kind,
  create: New,
  update: Changes,
  isId: (id: string) => boolean = () => true,
) => {
  const of = { kind: z.literal(kind) };
  const id = Id.refine((text) => isRef(text) || isId(text), 'must be an id, or the `ref` of an earlier change');
  return z.discriminatedUnion('action', [
    z.strictObject({
      ...of,
      action: z.literal('create'),
      ref: Ref.optional(),
      fields: create.meta({ description: 'Fields of the new record' }),
    }),
    z.strictObject({
      ...of,
      action: z.literal('update'),
      id,
      if_match: IfMatch.optional(),
      fields: update.meta({ description: 'Fields that change' }),
    }),
    z.strictObject({ ...of, action: z.literal('delete'), id, if_match: IfMatch.optional() }),
  ]);
};

/** The answer: the outcome of each change, in the order of the request. */
export const MadeChanges = z.object({
  changes: z.array(
    z.object({
      kind: z.string().meta({ description: 'Kind of the record' }),
      action: z.enum(['create', 'update', 'delete']),
      id: z.string(),
      etag: z.string().nullable().meta({ description: 'The ETag of the record; null for one that is deleted' }),
    }),
  ),
});

export type ListedChange<New = unknown, Changes = unknown> =
  | { kind: string; action: 'create'; ref?: string | undefined; fields: New }
  | { kind: string; action: 'update'; id: string; if_match?: string | undefined; fields: Changes }
  | { kind: string; action: 'delete'; id: string; if_match?: string | undefined };

/** Whether an id is the `ref` of an earlier change. */
export const isRef = (id: string): boolean => id.startsWith('@');

/** The ids of the records that a request has created so far, by `ref`. */
export class Refs {
  readonly #ids = new Map<string, string>();

  /** @throws AppError validation_error when an earlier change has the same ref */
  add(ref: string | undefined, id: string): void {
    if (ref === undefined) return;
    if (this.#ids.has(ref)) throw invalidField('ref', `${ref} is the ref of an earlier change`);
    this.#ids.set(ref, id);
  }

  /** The id itself, or the id of the record that a ref names. @throws AppError validation_error for an unknown ref */
  idOf(id: string, field = 'id'): string {
    if (!isRef(id)) return id;
    const known = this.#ids.get(id);
    if (known === undefined) throw invalidField(field, `${id} is not the ref of an earlier change`);
    return known;
  }
}

/** The functions that make changes of one kind of record. */
export interface ChangeStore<New, Changes> {
  create: (fields: New) => Promise<Versioned<{ id: string }>>;
  update: (target: Target, fields: Changes) => Promise<Versioned<{ id: string }>>;
  remove: (target: Target) => Promise<void>;
}

/** Makes one change of the list. */
export async function makeChange<New, Changes>(
  area: Area,
  change: ListedChange<New, Changes>,
  refs: Refs,
  store: ChangeStore<New, Changes>,
): Promise<z.output<typeof MadeChanges>['changes'][number]> {
  const { kind, action } = change;
  if (action === 'create') {
    const { record, version } = await store.create(change.fields);
    refs.add(change.ref, record.id);
    return { kind, action, id: record.id, etag: entityTag(area, version) };
  }
  const target = { id: refs.idOf(change.id), ifMatch: versionsAllowed(area, change.if_match) };
  if (action === 'update') {
    const { version } = await store.update(target, change.fields);
    return { kind, action, id: target.id, etag: entityTag(area, version) };
  }
  await store.remove(target);
  return { kind, action, id: target.id, etag: null };
}

/** Calls `work` for each change, in order. @throws AppError when `work` throws one; the new error names the change that failed */
export async function forEachChange<Change, Result>(
  changes: readonly Change[],
  work: (change: Change) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, change] of changes.entries())
    results.push(
      await work(change).catch((error: unknown) => {
        throw error instanceof AppError ? atChange(error, index) : error;
      }),
    );
  return results;
}

/** Members of a change that are not fields of the changed record. */
const OWN_MEMBERS = new Set(['id', 'ref', 'reason']);

function atChange({ code, cause, headers, retryAfter, fields }: AppError, index: number): AppError {
  const place = `changes.${index}`;
  const named = fields.map(({ field, reason }) => ({
    field: `${place}${OWN_MEMBERS.has(field) ? '' : '.fields'}.${field}`,
    reason,
  }));
  return new AppError(code, {
    cause,
    headers,
    ...(retryAfter !== undefined && { retryAfter }),
    fields: named.length > 0 ? named : [{ field: place, reason: 'nothing was changed' }],
  });
}
