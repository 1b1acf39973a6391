// @ts-check
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** Settings of the compiler: CommonJS, because the generated sources import each other without file extensions. */
const COMPILER = {
  compilerOptions: {
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'], types: [] },
    ...{ module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true, outDir: 'compiled' },
    ...{ strict: true, noUncheckedIndexedAccess: true, skipLibCheck: true },
  },
};

/** @param {string} folder @param {string} name @param {string[]} args */
const execute = (folder, name, ...args) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, 'node_modules', name), ...args], {
    ...{ cwd: folder, maxBuffer: 16 * 1_048_576 },
  }).catch((error) => {
    throw new Error(`${name}: ${error.stdout}${error.stderr}`);
  });

/** Functions that generate a client for the document at `url`, by the name of the generator. */
const GENERATORS = {
  'openapi-typescript': (/** @type {string} */ folder, /** @type {string} */ name, /** @type {string} */ url) =>
    execute(folder, 'openapi-typescript/bin/cli.js', url, '-o', `generated/${name}.ts`, '--default-non-nullable=false'),
  'hey-api': (/** @type {string} */ folder, /** @type {string} */ name, /** @type {string} */ url) =>
    execute(folder, '@hey-api/openapi-ts/bin/run.js', '-i', url, '-o', `generated/${name}`),
  orval(/** @type {string} */ folder, /** @type {string} */ name, /** @type {string} */ url) {
    const output = { target: `generated/${name}.ts`, client: 'fetch', baseUrl: new URL(url).origin };
    const config = `module.exports = ${JSON.stringify({ [name]: { input: url, output } })};`;
    writeFileSync(join(folder, `${name}.config.cjs`), config);
    return execute(folder, 'orval/dist/bin/orval.mjs', '--config', `${name}.config.cjs`);
  },
};

/** @param {import('../installation.mjs').Installation} installation */
export function checks(installation) {
  const { base, runtime, prompts } = installation;
  const documents = {
    ...{ admin: `${base}/admin/openapi.json`, platform: `${base}/api/v1/openapi.json` },
    ...{ runtime: `${runtime}/api/v1/openapi.json`, prompts: `${prompts}/v1/openapi.json` },
  };
  return Object.fromEntries(
    Object.entries(GENERATORS).map(([generator, generate]) => [
      `${generator}: clients of the four served documents compile in strict mode; calls`,
      async () => {
        const folder = mkdtempSync(join(import.meta.dirname, `${generator}-`));
        mkdirSync(join(folder, 'generated'));
        writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
        for (const [name, url] of Object.entries(documents)) await generate(folder, name, url);
        for (const file of ['installation.ts', `${generator}.ts`])
          cpSync(join(import.meta.dirname, 'openapi', file), join(folder, file));
        writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...COMPILER, include: ['*.ts', 'generated'] }));
        await execute(folder, 'typescript/bin/tsc', '-p', '.');
        const { calls } = await import(pathToFileURL(join(folder, 'compiled', `${generator}.js`)).href);
        await calls(installation);
      },
    ]),
  );
}
