import { createHash } from 'node:crypto';
import type { AnswerForm } from '@millwright/errors';
import type { Reply } from '../contract/contract.js';

/** First letter of a service's entity tags: each service answers its own projection of a record. */
const LETTER: Record<AnswerForm, string> = { admin: 'a', platform: 'b', runtime: 'c', prompt: 'd', scim: 's' };

/** Whether retries get the stored answer. SCIM stores no answers; admin-auth stores no answers, because they contain secrets. */
export const storesAnswers = (area: AnswerForm): boolean => area !== 'admin' && area !== 'scim';

/** The strong entity tag of a record's version (RFC 9110 §8.8.3). */
export function entityTag(area: AnswerForm, version: number): string {
  return `"${LETTER[area]}-${version}"`;
}

/** The tag of a record's file: another representation of the record, so its tag differs from the record's. */
export function bytesTag(area: AnswerForm, version: number): string {
  return `"${LETTER[area]}-${version}-bytes"`;
}

/**
 * The tag of an answer that covers more than one record: a digest of the answer, and the version of the record that a write to its path
 * changes. Without such a record the version is 0, which no record has.
 */
export function digestTag(area: AnswerForm, body: unknown, version = 0): string {
  const digest = createHash('sha256').update(JSON.stringify(body)).digest('hex');
  return `"${LETTER[area]}-${version}-${digest.slice(0, 32)}"`;
}

/** Returns the ETag of an answer. */
export function tagOf(area: AnswerForm, { digest, body, version, tag }: Reply): string | undefined {
  if (digest) return digestTag(area, body, version);
  return version === undefined ? tag : entityTag(area, version);
}

/** Versions that an `If-Match` header allows; `undefined` for no header and for `*`. Foreign and weak tags match nothing. */
export function versionsAllowed(area: AnswerForm, header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const own = new RegExp(`^"${LETTER[area]}-(\\d{1,9})(?:-bytes|-[0-9a-f]{32})?"$`);
  return header.split(',').flatMap((tag) => {
    const match = own.exec(tag.trim());
    return match ? [Number(match[1])] : [];
  });
}

/** Whether an `If-None-Match` header names this tag; weak comparison (RFC 9110 §13.1.2). */
export function isUnchanged(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = (item: string) => item.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((item) => opaque(item) === opaque(tag));
}
