import { globSync, readFileSync } from 'node:fs';
import { ADVISORY_LOCKS } from './advisory-locks.js';

const ROOT = new URL('../../../', import.meta.url);
/** Files that lock numbers which are not in ADVISORY_LOCKS: the 64-bit hash of an idempotency key, and numbers that a file itself defines. */
const OWN = ['libs/db/src/idempotency.ts', 'libs/db/src/migrations/migrate.ts', 'libs/db/src/roles.ts'];

/**
 * Finds the lines that match `pattern` in all sources of `glob`. Returns the file and the captured text of each line.
 */
const linesWith = (pattern: RegExp, glob: string) =>
  globSync(glob, { cwd: ROOT, exclude: ['**/node_modules', '**/dist', '**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(new URL(file, ROOT), 'utf8').matchAll(pattern)].map(([, rest = '']) => ({ file, rest })),
  );

describe('the advisory locks of all processes', () => {
  const taken = linesWith(/pg_(?:try_)?advisory\w*\(([^\n]*)/g, '{apps,libs}/*/src/**/*.ts').filter(
    ({ file }) => !OWN.includes(file),
  );
  const namesIn = (text: string) => [...text.matchAll(/ADVISORY_LOCKS\.(\w+)/g)].map(([, name = '']) => name);

  it('have different numbers', () => {
    const numbers = Object.values(ADVISORY_LOCKS);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('are always taken by name, and each name except `named` is used in one file only', () => {
    expect(taken.filter(({ rest }) => namesIn(rest).length === 0)).toEqual([]);
    const uses = new Set(taken.flatMap(({ file, rest }) => namesIn(rest).map((name) => `${name} ${file}`)));
    const names = [...uses].map((use) => use.split(' ')[0]).filter((name) => name !== 'named');
    expect([...names, 'named', 'migrations', 'roles'].sort()).toEqual(Object.keys(ADVISORY_LOCKS).sort());
  });

  it('use texts with different prefixes when their numbers are hashes with the shared seed', () => {
    const texts = taken
      .filter(({ rest }) => namesIn(rest).includes('named'))
      .map(({ rest }) => /hashtextextended\((?:'|\$\{`)(.*?)['`]/.exec(rest)?.[1]);
    const known = ['${space}:${stem}', 'default-agent', 'file-sweep', 'prompt references of ${project}', 'scim ${url}'];
    expect(texts.sort()).toEqual(known);
  });

  it('use seeds that no function in the schema uses', () => {
    const seeds = taken.filter(({ rest }) => rest.includes('hashtextextended')).flatMap(({ rest }) => namesIn(rest));
    const ofSchema = linesWith(/hashtextextended\(.*, (\d+)\)/g, 'prisma/migrations/*/migration.sql');
    expect(ofSchema).not.toEqual([]);
    const numbers: number[] = Object.entries(ADVISORY_LOCKS).flatMap(([name, n]) => (seeds.includes(name) ? [n] : []));
    expect(ofSchema.filter(({ rest }) => numbers.includes(Number(rest)))).toEqual([]);
  });
});
