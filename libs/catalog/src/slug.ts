import { ADVISORY_LOCKS, type Tx } from '@millwright/db';

/** Slugs that would collide with a path or a built-in agent. */
const RESERVED: readonly string[] = ['registry', 'concierge', 'platform'];
const MAX_LENGTH = 60;
/** The number of candidates that are looked up at first. */
const FIRST_CANDIDATES = 8;

/**
 * Returns the URL-safe form of a name: lower-case ASCII letters, digits and single hyphens. The result is empty when
 * the name has no such characters.
 */
export function slugify(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, MAX_LENGTH)
    .replace(/-$/, '');
}

/** Returns the slugs `base`, `base-2`, `base-3`, …, without reserved slugs, in the order in which they are tried. */
export function slugCandidates(base: string, count: number): string[] {
  const numbered = Array.from({ length: count - 1 }, (_, index) => `${base}-${index + 2}`);
  return [base, ...numbered].filter((slug) => !RESERVED.includes(slug));
}

export const isReservedSlug = (slug: string): boolean => RESERVED.includes(slug);

/** The space within which a slug is unique, such as `agent-slug` or `content-slug:Core:docs`. */
type SlugSpace = string;

/** Locks a slug and its numbered variants until the transaction ends. */
export async function lockSlug(tx: Tx, space: SlugSpace, slug: string): Promise<void> {
  const stem = slug.replace(/(-\d+)+$/, '');
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${space}:${stem}`}, ${ADVISORY_LOCKS.named}))`;
}

/** Locks a free slug and returns it. `findTaken` returns those candidates that are taken. */
export async function reserveSlug(
  tx: Tx,
  space: SlugSpace,
  base: string,
  findTaken: (candidates: string[]) => Promise<{ slug: string }[]>,
): Promise<string> {
  await lockSlug(tx, space, base);
  for (let count = FIRST_CANDIDATES; ; count *= 8) {
    const candidates = slugCandidates(base, count);
    const taken = new Set((await findTaken(candidates)).map(({ slug }) => slug));
    const free = candidates.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}
