// @ts-check
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.mjs';

/**
 * A package from npm whose code is part of a bundle.
 *
 * @typedef {object} Package
 * @property {string} name
 * @property {string} version
 * @property {string} license an SPDX expression
 * @property {string} folder where it is installed
 */

const INSIDE = '/node_modules/';

/** Licences that a package states in its README only. @type {Record<string, string>} */
const stated = { 'pause@0.0.1': 'MIT' };

/**
 * Returns the packages to which bundled files belong, each version once, sorted by package URL.
 *
 * @param {Iterable<string>} files absolute paths; files outside of node_modules are ours
 * @returns {Package[]}
 */
export function packagesOf(files) {
  const folders = new Set();
  for (const file of files) {
    const at = file.lastIndexOf(INSIDE);
    if (at === -1) continue;
    const [first = '', second = ''] = file.slice(at + INSIDE.length).split('/');
    folders.add(join(file.slice(0, at + INSIDE.length), first, first.startsWith('@') ? second : ''));
  }
  const packages = [...folders].map((folder) => {
    const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    // Older packages state their licences as a list of objects.
    const expression = license ?? licenses?.[0]?.type ?? stated[`${name}@${version}`];
    if (typeof expression !== 'string') throw new Error(`${name}@${version} names no licence in its package.json.`);
    return { name, version, license: expression, folder };
  });
  const unique = new Map(packages.map((one) => [`${one.name}@${one.version}`, one]));
  return [...unique.values()].sort((a, b) => compare(purlOf(a), purlOf(b)));
}

/**
 * Writes the information that a distributed bundle must have about its contents: `sbom.cdx.json` (CycloneDX 1.6), which vulnerability scanners read
 * in images, and `THIRD-PARTY-NOTICES.txt` with the licence texts. Equal input gives equal bytes.
 *
 * @param {string} dist
 * @param {{ name: string, version: string }} app
 * @param {Package[]} packages
 */
export function writeThirdParty(dist, app, packages) {
  const { license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `millwright/${app.name}@${app.version}`,
        group: 'millwright',
        name: app.name,
        version: app.version,
        licenses: [{ expression: license }],
      },
    },
    components: packages.map((one) => ({
      type: 'library',
      'bom-ref': purlOf(one),
      name: one.name,
      version: one.version,
      purl: purlOf(one),
      licenses: [{ expression: one.license }],
    })),
  };
  writeFileSync(join(dist, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 1)}\n`);
  const notices = packages.map((one) =>
    [`${one.name} ${one.version} (${one.license})`, ...licenceTexts(one.folder)].join('\n\n'),
  );
  writeFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), `${notices.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/** @param {string} folder */
function licenceTexts(folder) {
  return readdirSync(folder)
    .filter((name) => /^(licen[cs]e|notice|copying)/i.test(name))
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

/** Returns the URL (purl) that identifies a version of a package. @param {{ name: string, version: string }} one */
export const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${encodeURIComponent(version)}`;

/** Compares names by code units, so that the order is the same in every locale. @param {string} a @param {string} b */
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
