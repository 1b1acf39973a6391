import {
  configValue,
  SECRET_MASK,
  withConfigValues,
  type PluginConfig,
  type PluginSecret,
  type PluginType,
} from '@millwright/catalog/plugin-config';
import { invalidField } from '@millwright/errors';
import { isJsonObject, type JsonObject } from '@millwright/json';
import { schemaKey } from '@millwright/schemas';

type Path = readonly string[];
/** Keywords of draft-07 that apply a schema to the same value. */
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];
const IN_PLACE = ['not', 'if', 'then', 'else'];

/** Limit of steps, far above the need of any normal config and schema: only hostile configs and schemas reach the limit. */
const MOST_STEPS = 50_000;

/** Names of the settings that are secret in each type. The values of headers are secret too. */
const SECRET_SETTINGS: Readonly<Record<PluginType, readonly string[]>> = {
  tool: [],
  data_source: [],
  integration: [],
  filter: ['secret'],
};

/**
 * Returns the paths of secret values: header values, secret settings of the type, and settings that the config's schema marks `writeOnly`
 * or `format: "password"`. A mark in any branch of the schema applies, even if the config matches another branch.
 *
 * @throws AppError validation_error when schema and config together are too complex to check.
 */
export function secretPaths(type: PluginType, config: PluginConfig, schema: PluginConfig): Path[] {
  const found = new Map<string, Path>();
  const add = (path: Path) => found.set(JSON.stringify(path), path);
  if (isJsonObject(config['headers'])) for (const name of Object.keys(config['headers'])) add(['headers', name]);
  for (const name of SECRET_SETTINGS[type]) if (config[name] !== undefined) add([name]);

  const seen = new Map<object, Set<string>>();
  let steps = 0;
  function visit(current: unknown, value: unknown, path: Path): void {
    if (!isJsonObject(current) || value === undefined) return;
    const place = JSON.stringify(path);
    const places = seen.get(current) ?? new Set();
    if (places.has(place)) return;
    seen.set(current, places.add(place));
    if ((steps += 1) > MOST_STEPS) throw invalidField('config_schema', 'is too complex for this config');
    if (current['writeOnly'] === true || current['format'] === 'password') {
      // A mark on the whole config marks each of its members, because the config itself must stay an object.
      for (const secret of path.length > 0 ? [path] : Object.keys(config).map((name) => [name])) add(secret);
      return;
    }
    for (const inner of sameValue(current, schema)) visit(inner, value, path);
    for (const [key, inner] of membersOf(current, value)) visit(inner, configValue(value, [key]), [...path, key]);
  }
  visit(schema, config, []);
  // A secret within another secret needs no separate path.
  return [...found.values()].filter(
    (path) => !path.some((_step, end) => end > 0 && found.has(JSON.stringify(path.slice(0, end)))),
  );
}

function sameValue(schema: JsonObject, root: JsonObject): unknown[] {
  const lists = IN_PLACE_LISTS.flatMap((keyword): unknown[] => (Array.isArray(schema[keyword]) ? schema[keyword] : []));
  const dependencies = isJsonObject(schema['dependencies']) ? Object.values(schema['dependencies']) : [];
  const target = typeof schema['$ref'] === 'string' ? referenced(root, schema['$ref']) : undefined;
  return [target, ...lists, ...IN_PLACE.map((keyword) => schema[keyword]), ...dependencies];
}

function referenced(root: JsonObject, ref: string): unknown {
  const path = decodeURIComponent(ref.slice(1))
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return configValue(root, path);
}

/**
 * Returns a pair for each member of a value and each schema that applies to the member: the name or index of the member, and the schema. Regular
 * expressions in `patternProperties` are not evaluated: their schemas apply to members of any name.
 */
function membersOf(schema: JsonObject, value: unknown): [string, unknown][] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.flatMap((_item, index): [string, unknown][] => {
      const of: unknown = Array.isArray(items) ? items[index] : items;
      return [of, schema['additionalItems'], schema['contains']].map((inner) => [String(index), inner]);
    });
  }
  if (!isJsonObject(value)) return [];
  const named = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const patterns = isJsonObject(schema['patternProperties']) ? Object.values(schema['patternProperties']) : [];
  return Object.keys(value).flatMap((key): [string, unknown][] =>
    [Object.hasOwn(named, key) ? named[key] : schema['additionalProperties'], ...patterns].map((inner) => [key, inner]),
  );
}

export interface OpenedConfig {
  /** The config with all its secrets. */
  config: PluginConfig;
  /** The stored secrets that the new config keeps. */
  kept: readonly PluginSecret[];
}

/** The stored secrets of a plugin, with the address and the schema for which they were set. */
export interface StoredConfig {
  secrets: readonly PluginSecret[];
  url: unknown;
  schema: PluginConfig;
}

/**
 * Restores stored secrets where the mask was sent back. A secret is kept only while the server and the schema are the same. Otherwise, a caller could
 * have the secret sent to another server, or could guess the secret by testing patterns in a schema.
 *
 * @throws AppError validation_error when a secret has to be sent again; the error names the setting.
 */
export function keepSecrets(sent: PluginConfig, schema: PluginConfig, stored: StoredConfig): OpenedConfig {
  const kept = stored.secrets.filter(({ path }) => configValue(sent, path) === SECRET_MASK);
  const config = withConfigValues(sent, kept);
  const [first] = kept;
  const refuse = (changed: string) => {
    if (first) throw invalidField(fieldOf(first.path), `must be given again, because the ${changed} changed`);
  };
  if (urlOrigin(config['url']) !== urlOrigin(stored.url)) refuse('address');
  if (schemaKey(schema) !== schemaKey(stored.schema)) refuse('schema');
  return { config, kept };
}

const urlOrigin = (url: unknown) => (typeof url === 'string' ? (URL.parse(url)?.origin ?? '') : '');

/** Masks the secrets of a config, and returns them separately. @throws AppError validation_error for a mask without a stored secret. */
export function separateSecrets(type: PluginType, { config, kept }: OpenedConfig, schema: PluginConfig) {
  const marked = secretPaths(type, config, schema);
  const names = new Set(marked.map((path) => JSON.stringify(path)));
  // A stored secret stays masked under any later schema, even if that schema does not mark it.
  const paths = [...marked, ...kept.map(({ path }) => path).filter((path) => !names.has(JSON.stringify(path)))];
  const secrets = paths.map((path): PluginSecret => ({ path, value: configValue(config, path) }));
  const empty = secrets.find(({ value }) => value === SECRET_MASK);
  if (empty) throw invalidField(fieldOf(empty.path), 'has no stored value to keep');
  const shown = withConfigValues(
    config,
    paths.map((path) => ({ path, value: SECRET_MASK })),
  );
  return { shown, secrets };
}

const fieldOf = (path: Path) => ['config', ...path].join('.');
