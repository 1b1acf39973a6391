// @ts-check
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../../tools/workspace.mjs';

/**
 * @typedef {object} Settings
 * @property {string[]} known every variable that the app reads
 * @property {string[]} required
 * @property {Record<string, string>} defaults default values as texts of an environment
 * @property {(name: string, text: string | undefined) => unknown} valueOf parses the text of a variable; `undefined` when the schema refuses
 *   the text
 * @property {(env: Record<string, string>) => string[]} faultsOf names of the variables because of which the schema refuses an
 *   environment
 */

/**
 * The config file of a lib, by the name under which apps import the lib. Only these files are loaded, so that no generated or built file is needed.
 */
const configFileOf = {
  '@millwright/audit/seal-bucket-config': 'libs/audit/src/seal-bucket/seal-bucket-config.ts',
  '@millwright/auth': 'libs/auth/src/principal.ts',
  '@millwright/auth/projects': 'libs/auth/src/projects.ts',
  '@millwright/auth/tool-rules': 'libs/auth/src/tool-rules.ts',
  '@millwright/catalog': 'libs/catalog/src/tool-rules/tool-rules.config.ts',
  '@millwright/secrets': 'libs/secrets/src/config.ts',
  '@millwright/db': 'libs/db/src/config.ts',
  '@millwright/egress': 'libs/egress/src/config.ts',
  '@millwright/events/signatures': 'libs/events/src/signatures.ts',
  '@millwright/files': 'libs/files/src/config.ts',
  '@millwright/http/process': 'libs/http/src/process/service-config.ts',
  '@millwright/models': 'libs/models/src/config.ts',
  '@millwright/rate-limit': 'libs/rate-limit/src/config.ts',
  '@millwright/telemetry': 'libs/telemetry/src/config.ts',
};

/**
 * Source that replaces `parseConfig` by a function that throws the schema, because apps do not export the schema. The code of the app after this call
 * does not run.
 */
const revealing = `
  export { ConfigError, field } from ${JSON.stringify(join(root, 'libs/config/src/index.ts'))};
  export const parseConfig = (schema) => { throw Object.assign(new Error('the schema'), { schema }); };
`;

/** @type {import('esbuild').Plugin} */
const configOnly = {
  name: 'config-only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@millwright\// }, ({ path }) => {
      if (path === '@millwright/config') return { path, namespace: 'revealing' };
      const file = configFileOf[/** @type {keyof typeof configFileOf} */ (path)];
      return file ? { path: join(root, file) } : { errors: [{ text: `${path}: name its config file here` }] };
    });
    onLoad({ filter: /./, namespace: 'revealing' }, () => ({ contents: revealing, resolveDir: root }));
  },
};

/** @param {any} schema a zod object @returns {Settings} */
function settingsOf(schema) {
  const fields = Object.entries(schema.shape).map(([name, type]) => ({ name, unset: type.safeParse(undefined) }));
  const hasDefault = fields.filter(({ unset }) => unset.success && unset.data !== undefined);
  return {
    known: fields.map(({ name }) => name),
    required: fields.filter(({ unset }) => !unset.success).map(({ name }) => name),
    defaults: Object.fromEntries(hasDefault.map(({ name, unset }) => [name, String(unset.data)])),
    valueOf: (name, text) => schema.shape[name].safeParse(text).data,
    faultsOf: (env) =>
      (schema.safeParse(env).error?.issues ?? []).map((/** @type {any} */ issue) => String(issue.path[0])),
  };
}

/** @param {(env: object) => unknown} loadConfig @returns {any} a zod object */
function schemaOf(loadConfig) {
  try {
    loadConfig({});
  } catch (error) {
    const { schema } = /** @type {{ schema?: unknown }} */ (error);
    if (schema !== undefined) return schema;
    throw error;
  }
  throw new Error('loadConfig does not call parseConfig');
}

/**
 * @param {string[]} apps
 * @returns {Promise<Record<string, Settings>>} the settings of each app, read from apps/<app>/src/config.ts
 */
export async function readConfigSchemas(apps) {
  // The folder is inside the checkout, where zod and the other packages are found.
  const outdir = mkdtempSync(join(root, 'node_modules', '.config-schemas-'));
  try {
    await build({
      entryPoints: apps.map((app) => ({ in: join(root, 'apps', app, 'src/config.ts'), out: app })),
      outdir,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      format: 'esm',
      platform: 'node',
      external: ['zod', 'yaml', 'ipaddr.js'],
      plugins: [configOnly],
      logLevel: 'silent',
    });
    const entries = apps.map(async (app) => {
      const { loadConfig } = await import(pathToFileURL(join(outdir, `${app}.mjs`)).href);
      return [app, settingsOf(schemaOf(loadConfig))];
    });
    return Object.fromEntries(await Promise.all(entries));
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
