// @ts-check

/**
 * The repository of a package, from PACKAGE_REPOSITORY: npm accepts provenance only from the repository that the package names.
 *
 * @returns {{ repository?: { type: 'git', url: string } }}
 */
export function packageRepository() {
  const url = process.env['PACKAGE_REPOSITORY'];
  return url === undefined || url === '' ? {} : { repository: { type: 'git', url } };
}
