import { deleteInSteps, Prisma, type Step } from '@millwright/db';

/** A table in which deleted rows are only marked, and the table of their parts. */
interface Deleted {
  records: string;
  parts: string;
  /** Column in the table of parts that references the record. */
  reference: string;
  /** Column that identifies a part within its record. */
  key: string;
}

/** Deletes rows that are marked as deleted, after all of their parts. @returns the number of records. */
async function forgetDeleted(step: Step, { records, parts, reference, key }: Deleted): Promise<number> {
  const [table, of, column] = [Prisma.raw(records), Prisma.raw(parts), Prisma.raw(reference)];
  await deleteInSteps(
    step,
    (limit) => Prisma.sql`
      DELETE FROM ${of} WHERE (${column}, ${Prisma.raw(key)}) IN (
        SELECT p.${column}, p.${Prisma.raw(key)} FROM ${table} r JOIN ${of} p ON p.${column} = r.id
         WHERE r.deleted_at IS NOT NULL LIMIT ${limit})`,
  );
  // Deletes only records without parts. A concurrent request may have added a part: such a record is deleted by the next run.
  return deleteInSteps(
    step,
    (limit) => Prisma.sql`
      DELETE FROM ${table} WHERE id = ANY(ARRAY(
        SELECT r.id FROM ${table} r WHERE r.deleted_at IS NOT NULL
           AND NOT EXISTS (SELECT FROM ${of} p WHERE p.${column} = r.id) LIMIT ${limit}))`,
  );
}

/** Deletes the rows of webhooks that are marked as deleted, with their deliveries. */
export const forgetWebhooks = async (step: Step) => ({
  webhooks: await forgetDeleted(step, {
    records: 'webhooks',
    parts: 'event_deliveries',
    reference: 'webhook_id',
    key: 'id',
  }),
});

/** Deletes the rows of triggers that are marked as deleted, with their firings. */
export const forgetTriggers = async (step: Step) => ({
  triggers: await forgetDeleted(step, {
    records: 'triggers',
    parts: 'trigger_firings',
    reference: 'trigger_id',
    key: 'id',
  }),
});

/** Deletes the rows of prompts that are marked as deleted, with their versions. */
export const forgetPrompts = async (step: Step) => ({
  prompts: await forgetDeleted(step, {
    records: 'prompts',
    parts: 'prompt_versions',
    reference: 'prompt_id',
    key: 'version',
  }),
});
