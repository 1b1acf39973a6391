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
    .slice(0, MAX_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
}

/** `base`, or `base-2`, `base-3`, … when it is reserved or taken. */
export function freeSlug(base: string, taken: ReadonlySet<string>): string {
  const isFree = (slug: string) => !taken.has(slug) && !RESERVED.includes(slug);
  if (isFree(base)) return base;
  for (let n = 2; ; n++) if (isFree(`${base}-${n}`)) return `${base}-${n}`;
}
