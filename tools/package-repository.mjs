// @ts-check

/**
 * Returns the field `repository` of a package.json, from PACKAGE_REPOSITORY. A release needs it, because npm accepts provenance only from the
 * repository that the package names.
 *
 * @returns {{ repository?: { type: 'git', url: string } }}
 */
export function packageRepository() {
  const url = process.env['PACKAGE_REPOSITORY'];
  return url === undefined || url === '' ? {} : { repository: { type: 'git', url } };
}
