import { secretPlaces, type SecretBox } from '@millwright/secrets';

/** Mask that replaces each secret in answers. When a request contains the mask, the stored value is kept. */
export const SECRET_MASK = '********';

export const PLUGIN_TYPES = ['tool', 'data_source', 'integration', 'filter'] as const;
export type PluginType = (typeof PLUGIN_TYPES)[number];

export type PluginConfig = Readonly<Record<string, unknown>>;

/** A secret value of a config, with the path of the value. */
export interface PluginSecret {
  path: readonly string[];
  value: unknown;
}

/** The settings of a tool that gets a token from this installation with each call. */
export interface PluginTokenAuth {
  /** The OAuth client with which the tool may exchange its tokens. */
  client_id?: string;
  scope?: string;
}

/**
 * Returns the settings of the tokens that this installation sends with calls of a tool, in addition to the tool's
 * headers; undefined when it sends no tokens.
 */
export function pluginTokenAuth({ auth }: PluginConfig): PluginTokenAuth | undefined {
  if (typeof auth !== 'object' || auth === null || !('type' in auth) || auth.type !== 'agent_token') return undefined;
  const text = (name: 'client_id' | 'scope') => {
    const value: unknown = Reflect.get(auth, name);
    return typeof value === 'string' ? { [name]: value } : {};
  };
  return { ...text('client_id'), ...text('scope') };
}

export function sealPluginSecrets(
  secretBox: SecretBox,
  pluginUuid: string,
  secrets: readonly PluginSecret[],
): string | null {
  return secrets.length === 0 ? null : secretBox.seal(JSON.stringify(secrets), secretPlaces.plugin(pluginUuid));
}

/** Decrypts the secrets of a plugin. @throws SecretUnreadable when they cannot be decrypted */
export function openPluginSecrets(secretBox: SecretBox, pluginUuid: string, sealed: string | null): PluginSecret[] {
  return sealed === null ? [] : (JSON.parse(secretBox.open(sealed, secretPlaces.plugin(pluginUuid))) as PluginSecret[]);
}

/** Returns the value at a path; `undefined` when the path has no value. */
export function configValue(config: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined,
    config,
  );
}

/** Returns a copy of the config with the given values at their paths. A path that the config does not have is ignored. */
export function withConfigValues(config: PluginConfig, values: readonly PluginSecret[]): PluginConfig {
  const copy = structuredClone(config);
  for (const { path, value } of values) {
    const last = path.at(-1);
    const parent = configValue(copy, path.slice(0, -1));
    if (last === undefined || typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) continue;
    Reflect.set(parent, last, value);
  }
  return copy;
}
