import { AppError } from '@millwright/errors';
import { z } from 'zod';
import { failureChain } from './failures.js';

/**
 * Kinds of records with a quota. `prompts` includes versions, blocks and artifacts; `conversations` and `contexts`
 * include messages.
 */
export const QUOTA_KINDS = ['content', 'files', 'prompts', 'conversations', 'contexts'] as const;
export type QuotaKind = (typeof QUOTA_KINDS)[number];

const QuotaRefusal = z.object({
  project: z.string(),
  kind: z.enum(QUOTA_KINDS),
  measure: z.enum(['rows', 'bytes']),
  limit: z.number(),
  used: z.number(),
  /** The amount that the refused change would have added. */
  more: z.number(),
});
/** A description of a change that the triggers of `quota_usage` refused. */
export type QuotaRefusal = z.output<typeof QuotaRefusal>;

/** SQLSTATE of a refusal. The message of the failure describes the refusal in JSON. */
const SQLSTATE = 'MWQ01';

/**
 * Returns the refusal that caused a failure. The failure is an error of the database, or an AppError with such an error as its cause.
 * Returns undefined for other failures.
 */
export function quotaRefusal(error: unknown): QuotaRefusal | undefined {
  if (error instanceof AppError) return QuotaRefusal.safeParse(error.cause).data;
  for (const { code, originalCode, message, originalMessage } of failureChain(error)) {
    if (code !== SQLSTATE && originalCode !== SQLSTATE) continue;
    for (const text of [originalMessage, message]) {
      if (typeof text === 'string' && text.startsWith('{')) return QuotaRefusal.parse(JSON.parse(text));
    }
  }
  return undefined;
}

/** Returns the error for a refusal: 413 when the change exceeds the bytes that are left, and 403 when no bytes are left. */
export function quotaError(refusal: QuotaRefusal): AppError {
  const { kind, measure, limit, used } = refusal;
  const of = measure === 'rows' ? (n: number) => `${n} records` : bytesText;
  const has = `the project may have ${of(limit)} and has ${of(used)}`;
  const reason = `${has}; delete what is no longer needed, or have an operator raise the limit`;
  const isTooSmall = measure === 'bytes' && used < limit;
  return new AppError(isTooSmall ? 'quota_too_small' : 'quota_exceeded', {
    cause: refusal,
    fields: [{ field: kind, reason }],
  });
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

function bytesText(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${UNITS[power] ?? ''}`;
}
