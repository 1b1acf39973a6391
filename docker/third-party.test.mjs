// @ts-check
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { areas } from '../k8s/verify/rules.mjs';
import { packagesOf, writeThirdParty } from '../tools/third-party.mjs';
import { root } from '../tools/workspace.mjs';

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
const locked = new Set(
  Object.entries(lock).map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`),
);

for (const app of [...areas, 'cli'])
  describe(`the build of ${app}`, () => {
    const dist = join(root, 'apps', app, 'dist');
    const bom = JSON.parse(readFileSync(join(dist, 'sbom.cdx.json'), 'utf8'));
    /** @type {{ name: string, version: string, purl: string, licenses: { expression: string }[] }[]} */
    const components = bom.components;

    it('has a CycloneDX bill of materials with every npm package of which the bundle contains CommonJS modules', () => {
      assert.deepEqual([bom.bomFormat, bom.specVersion, bom.metadata.component.name], ['CycloneDX', '1.6', app]);
      const names = new Set(components.map(({ name }) => name));
      const scripts = readdirSync(dist).filter((file) => file.endsWith('.js'));
      const bundled = scripts.flatMap((file) =>
        // esbuild keeps the path of each CommonJS module as the name of its function, and continues long strings on the next line.
        [
          ...readFileSync(join(dist, file), 'utf8')
            .replaceAll('\\\n', '')
            .matchAll(/"[^"\s]*node_modules\/((?:@[^/"]+\/)?[^/"]+)\/[^"\s]+"\(/g),
        ].map(([, name]) => name),
      );
      assert.ok(bundled.length > 50);
      assert.deepEqual(
        [...new Set(bundled)].filter((name) => !names.has(String(name))),
        [],
      );
    });

    it('has a bill of materials with the versions of the lock file, and a licence for each package', () => {
      for (const { name, version, purl, licenses } of components) {
        assert.ok(locked.has(`${name}@${version}`), `${name}@${version}`);
        assert.equal(purl, `pkg:npm/${name.replace('@', '%40')}@${version}`);
        assert.match(licenses[0]?.expression ?? '', /^[A-Za-z0-9.-]+( (AND|OR) [A-Za-z0-9.-]+)*$/, name);
      }
    });

    it('contains the notices of its npm packages and the licence of Millwright, and no source maps', () => {
      const notices = readFileSync(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
      for (const { name, version } of components) assert.ok(notices.includes(`${name} ${version} (`), name);
      assert.equal(readFileSync(join(dist, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'));
      assert.deepEqual(
        readdirSync(dist).filter((file) => file.endsWith('.map')),
        [],
      );
    });
  });

describe('the bill of materials of admin-auth', () => {
  it('has the packages of the console, whose files are in its image', () => {
    const { components } = JSON.parse(readFileSync(join(root, 'apps/admin-auth/dist/sbom.cdx.json'), 'utf8'));
    const names = components.map((/** @type {{ name: string }} */ { name }) => name);
    for (const name of ['react-dom', '@mantine/core', 'express']) assert.ok(names.includes(name), name);
  });
});

describe('the bill of materials', () => {
  it('is not written for a package without a licence, and has equal bytes for equal input', () => {
    const work = mkdtempSync(join(tmpdir(), 'millwright-bom-'));
    try {
      const folder = join(work, 'node_modules/unlicensed');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'unlicensed', version: '1.0.0' }));
      assert.throws(() => packagesOf([join(folder, 'index.js')]), /unlicensed@1\.0\.0 names no licence/);
      const express = packagesOf([join(root, 'node_modules/express/index.js'), join(root, 'apps/cli/src/main.ts')]);
      assert.deepEqual(
        express.map(({ name, license }) => [name, license]),
        [['express', 'MIT']],
      );
      const written = [1, 2].map(() => {
        writeThirdParty(work, { name: 'app', version: '1.0.0' }, express);
        return readFileSync(join(work, 'sbom.cdx.json'), 'utf8');
      });
      assert.equal(written[0], written[1]);
    } finally {
      rmSync(work, { recursive: true });
    }
  });
});
