// @ts-check
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from './workspace.mjs';

const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

describe('documents', () => {
  it('link only to files that exist', () => {
    const broken = documents.flatMap((document) => {
      const prose = readFileSync(join(root, document), 'utf8').replaceAll(/```[^]*?```|`[^`\n]*`/g, '');
      const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => String(link));
      const local = links.filter((link) => !/^[a-z]+:/.test(link) && !link.startsWith('#'));
      return local
        .filter((link) => !existsSync(join(root, dirname(document), /** @type {string} */ (link.split('#')[0]))))
        .map((link) => `${document}: ${link}`);
    });
    assert.deepEqual(broken, []);
  });

  it('contain no absolute path of a machine, nor do the other tracked files', () => {
    const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    const texts = files.filter((file) => existsSync(join(root, file)) && !file.endsWith('package-lock.json'));
    const naming = texts.filter((file) =>
      /(^|[^A-Za-z/])\/(work|farm|root|home\/[a-z]+)\/[a-z]/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(naming, []);
  });
});
