/** Returns a name for a file or folder: lower-case ASCII letters, digits and single hyphens. The name is never empty. */
export const slugOf = (title: string): string =>
  title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replaceAll(/^-+|-+$/g, '') || 'unnamed';
