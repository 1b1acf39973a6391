import { createHash } from 'node:crypto';
import type { AnswerForm } from '@millwright/errors';
import type { Reply } from '../contract/contract.js';

/**
 * First letter of the entity tags of each service. Services have different tags, because each returns a different form
 * of a record.
 */
const LETTER: Record<AnswerForm, string> = { admin: 'a', platform: 'b', runtime: 'c', prompt: 'd', scim: 's' };

/**
 * Whether the service stores answers for retries. SCIM does not. admin-auth does not, because its answers contain
 * secrets.
 */
export const storesAnswers = (area: AnswerForm): boolean => area !== 'admin' && area !== 'scim';

/** The strong entity tag of a record's version (RFC 9110 §8.8.3). */
export function entityTag(area: AnswerForm, version: number): string {
  return `"${LETTER[area]}-${version}"`;
}

/**
 * The tag of a record's file. The file is another representation of the record, so its tag differs from that of the
 * record.
 */
export function bytesTag(area: AnswerForm, version: number): string {
  return `"${LETTER[area]}-${version}-bytes"`;
}

/**
 * The tag of an answer that covers more than one record. It consists of a digest of the answer, and of the version of the record that a
 * write to the same path changes. When there is no such record, the version is 0. No record has this version.
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

/**
 * Versions that an `If-Match` header allows; `undefined` without the header and for `*`. Weak tags and tags of other
 * services match no version.
 */
export function versionsAllowed(area: AnswerForm, header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const own = new RegExp(`^"${LETTER[area]}-(\\d{1,9})(?:-bytes|-[0-9a-f]{32})?"$`);
  return header.split(',').flatMap((tag) => {
    const match = own.exec(tag.trim());
    return match ? [Number(match[1])] : [];
  });
}

/** Whether an `If-None-Match` header contains this tag, by weak comparison (RFC 9110 §13.1.2). */
export function isUnchanged(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = (item: string) => item.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((item) => opaque(item) === opaque(tag));
}
