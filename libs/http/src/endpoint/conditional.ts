import type { Area } from '@millwright/errors';

/** Each area shows its own projection of a record, so each has its own tags. */
const LETTER: Record<Area, string> = { admin: 'a', platform: 'b', runtime: 'c', prompt: 'd' };

/** The strong entity tag of a record's version (RFC 9110 §8.8.3). */
export function entityTag(area: Area, version: number): string {
  return `"${LETTER[area]}-${version}"`;
}

/** The tag of a record's bytes: another representation, so another tag. */
export function bytesTag(area: Area, version: number): string {
  return `"${LETTER[area]}-${version}-bytes"`;
}

/** Versions that an `If-Match` header allows; `undefined` for no header and for `*`. Foreign and weak tags match nothing. */
export function versionsAllowed(area: Area, header: string | undefined): readonly number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  const own = new RegExp(`^"${LETTER[area]}-(\\d{1,9})(?:-bytes)?"$`);
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
