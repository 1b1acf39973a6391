// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { slimPrismaClient } from '../../tools/prisma/slim-client.mjs';
import { root } from '../../tools/workspace.mjs';
import { median } from '../median.mjs';

/** The largest dependencies of the services, including one lib of this workspace. */
const NAMES = [
  '@millwright/db',
  '@a2a-js/sdk',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@simplewebauthn/server',
  '@aws-sdk/client-s3',
  'ajv',
  'cron-parser',
  'express',
  'ioredis',
  'jose',
  'libphonenumber-js/min',
  'nodemailer',
  'openai',
  'openid-client',
  'pg-boss',
  'pino',
  'prom-client',
  're2js',
  'undici',
  'yaml',
  'zod',
];

/** A script that loads the module in its argument, and prints the CPU time of loading in milliseconds and the growth of the heap in bytes. */
const LOAD = `
  import 'node:http'; import 'node:https'; import 'node:crypto'; import 'node:worker_threads';
  const used = () => { gc(); return process.memoryUsage().heapUsed + process.memoryUsage().external; };
  const [before, began] = [used(), process.cpuUsage()];
  globalThis.kept = await import(process.argv[1]);
  const { user, system } = process.cpuUsage(began);
  console.log(JSON.stringify({ cpuMs: (user + system) / 1000, bytes: used() - before }));
`;

/**
 * Measures the CPU time, memory and code size of each dependency when a process loads it alone, with everything that the dependency imports.
 *
 * @param {import('../run.mjs').Context} context @returns {Promise<import('../run.mjs').Outcome>}
 */
export async function measureDependencies({ rounds }) {
  // The bundles are inside the workspace, because Node finds packages that are not bundled only there.
  const results = join(root, 'bench/results');
  mkdirSync(results, { recursive: true });
  const folder = mkdtempSync(join(results, 'dependencies-'));
  try {
    const costs = [];
    for (const name of NAMES) {
      const outfile = join(folder, `${name.replaceAll('/', '-')}.mjs`);
      await bundle(name, outfile);
      const loads = Array.from({ length: rounds }, () => load(outfile));
      costs.push({
        dependency: name,
        'start CPU ms': Math.round(median(loads.map(({ cpuMs }) => cpuMs))),
        'memory MiB': Number((median(loads.map(({ bytes }) => bytes)) / 2 ** 20).toFixed(1)),
        'code KiB': Math.round(statSync(outfile).size / 1024),
      });
    }
    const table = costs.toSorted((a, b) => b['start CPU ms'] - a['start CPU ms']);
    return { rows: {}, tables: { 'what each dependency costs a start': table } };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} name @param {string} outfile */
const bundle = (name, outfile) =>
  build({
    stdin: { contents: `export * from ${JSON.stringify(name)};`, resolveDir: root },
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: ['pg-native'],
    plugins: [slimPrismaClient],
    minifyWhitespace: true,
    legalComments: 'none',
    define: { __MILLWRIGHT_SCHEMA__: '""' },
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
  });

/** @param {string} file @returns {{ cpuMs: number, bytes: number }} */
const load = (file) =>
  JSON.parse(
    execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', LOAD, '--', file], {
      encoding: 'utf8',
    }),
  );
