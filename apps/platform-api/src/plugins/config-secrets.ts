import { configValue, SECRET_MASK, withConfigValues, type PluginConfig, type PluginSecret } from '@millwright/catalog';
import { invalidField } from '@millwright/errors';
import { schemaKey } from '@millwright/schemas';

type Path = readonly string[];
type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where draft-07 applies a schema to the same value. */
const IN_PLACE_LISTS = ['allOf', 'anyOf', 'oneOf'];
const IN_PLACE = ['not', 'if', 'then', 'else'];

/** A config and a schema of the allowed sizes need far fewer; what needs more was made to need them. */
const MOST_STEPS = 50_000;

/**
 * The places of secret values: a header's value, and what the config's schema marks `writeOnly` or `format: "password"`. A mark
 * in any branch counts, whichever branch the config takes.
 *
 * @throws AppError validation_error when schema and config together are too complex to tell.
 */
export function secretPaths(config: PluginConfig, schema: PluginConfig): Path[] {
  const found = new Map<string, Path>();
  const add = (path: Path) => found.set(JSON.stringify(path), path);
  if (isObject(config['headers'])) for (const name of Object.keys(config['headers'])) add(['headers', name]);

  const seen = new Map<object, Set<string>>();
  let steps = 0;
  function visit(current: unknown, value: unknown, path: Path): void {
    if (!isObject(current) || value === undefined) return;
    const place = JSON.stringify(path);
    const places = seen.get(current) ?? new Set();
    if (places.has(place)) return;
    seen.set(current, places.add(place));
    if ((steps += 1) > MOST_STEPS) throw invalidField('config_schema', 'is too complex for this config');
    if (current['writeOnly'] === true || current['format'] === 'password') {
      // The config itself stays an object: then each of its members is meant.
      for (const secret of path.length > 0 ? [path] : Object.keys(config).map((name) => [name])) add(secret);
      return;
    }
    for (const inner of sameValue(current, schema)) visit(inner, value, path);
    for (const [key, inner] of membersOf(current, value))
      visit(inner, (value as Record<string, unknown>)[key], [...path, key]);
  }
  visit(schema, config, []);
  // A secret inside a secret goes with it.
  return [...found.values()].filter(
    (path) => !path.some((_step, end) => end > 0 && found.has(JSON.stringify(path.slice(0, end)))),
  );
}

function sameValue(schema: JsonObject, root: JsonObject): unknown[] {
  const lists = IN_PLACE_LISTS.flatMap(
    (keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : []) as unknown[],
  );
  const dependencies = isObject(schema['dependencies']) ? Object.values(schema['dependencies']) : [];
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

/** Which schemas judge which members. Patterns are not matched: a mark behind one counts for every name. */
function membersOf(schema: JsonObject, value: unknown): [string, unknown][] {
  if (Array.isArray(value)) {
    const { items } = schema;
    return value.flatMap((_item, index): [string, unknown][] => {
      const of = Array.isArray(items) ? (items as unknown[])[index] : items;
      return [of, schema['additionalItems'], schema['contains']].map((inner) => [String(index), inner]);
    });
  }
  if (!isObject(value)) return [];
  const named = isObject(schema['properties']) ? schema['properties'] : {};
  const patterns = isObject(schema['patternProperties']) ? Object.values(schema['patternProperties']) : [];
  return Object.keys(value).flatMap((key): [string, unknown][] =>
    [Object.hasOwn(named, key) ? named[key] : schema['additionalProperties'], ...patterns].map((inner) => [key, inner]),
  );
}

export interface OpenedConfig {
  /** With every secret in its place. */
  config: PluginConfig;
  /** Of the stored secrets, those that stay. */
  kept: readonly PluginSecret[];
}

/** What a plugin's secrets were given for. */
export interface StoredConfig {
  secrets: readonly PluginSecret[];
  url: unknown;
  schema: PluginConfig;
}

/**
 * Puts stored secrets where the mask was sent back. A secret is kept only for the server and the schema it was given for: whoever
 * may change the address must not thereby learn it, nor guess it by asking which patterns it fits.
 *
 * @throws AppError validation_error naming the secret that has to be given again.
 */
export function keepSecrets(sent: PluginConfig, schema: PluginConfig, stored: StoredConfig): OpenedConfig {
  const kept = stored.secrets.filter(({ path }) => configValue(sent, path) === SECRET_MASK);
  const config = withConfigValues(sent, kept);
  const [first] = kept;
  const refuse = (changed: string) => {
    if (first) throw invalidField(fieldOf(first.path), `must be given again, because the ${changed} changed`);
  };
  if (originOf(config['url']) !== originOf(stored.url)) refuse('address');
  if (schemaKey(schema) !== schemaKey(stored.schema)) refuse('schema');
  return { config, kept };
}

const originOf = (url: unknown) => (typeof url === 'string' ? (URL.parse(url)?.origin ?? '') : '');

/** The config as it is shown, and what is sealed. @throws AppError validation_error for a mask where nothing is stored. */
export function separateSecrets({ config, kept }: OpenedConfig, schema: PluginConfig) {
  const marked = secretPaths(config, schema);
  const names = new Set(marked.map((path) => JSON.stringify(path)));
  // What was a secret stays one, whatever the schema says now.
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
