/** Names that a path or a built-in agent has already. */
const RESERVED: readonly string[] = ['registry', 'concierge', 'platform'];
const MAX_LENGTH = 60;

/** The URL-safe form of a name: lower-case ASCII letters, digits and single hyphens. Empty when nothing of the name is left. */
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

/** `base`, `base-2`, `base-3`, …, in the order in which they are to be tried; without those that are reserved. */
export function slugCandidates(base: string, count: number): string[] {
  const numbered = Array.from({ length: count - 1 }, (_, index) => `${base}-${index + 2}`);
  return [base, ...numbered].filter((slug) => !RESERVED.includes(slug));
}

export const isReservedSlug = (slug: string): boolean => RESERVED.includes(slug);
