import type { SecretBox } from './secret-box.js';

/** What a secret reads as; sent back, it means that the stored value stays (decisions §6). */
export const SECRET_MASK = '********';

export const PLUGIN_TYPES = ['tool', 'data_source', 'integration'] as const;
export type PluginType = (typeof PLUGIN_TYPES)[number];

export type PluginConfig = Readonly<Record<string, unknown>>;

/** A value of a config that is never shown, and where it stands. */
export interface PluginSecret {
  path: readonly string[];
  value: unknown;
}

const placeOf = (pluginUuid: string) => `plugin:${pluginUuid}`;

export function sealPluginSecrets(box: SecretBox, pluginUuid: string, secrets: readonly PluginSecret[]): string | null {
  return secrets.length === 0 ? null : box.seal(JSON.stringify(secrets), placeOf(pluginUuid));
}

/** @throws SecretUnreadable */
export function openPluginSecrets(box: SecretBox, pluginUuid: string, sealed: string | null): PluginSecret[] {
  return sealed === null ? [] : (JSON.parse(box.open(sealed, placeOf(pluginUuid))) as PluginSecret[]);
}

/** The value at a path, `undefined` where there is none. */
export function configValue(config: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string, unknown>)[step]
        : undefined,
    config,
  );
}

/** A copy of the config with these values in their places; a place that the config does not have is left out. */
export function withConfigValues(config: PluginConfig, values: readonly PluginSecret[]): PluginConfig {
  const copy = structuredClone(config) as Record<string, unknown>;
  for (const { path, value } of values) {
    const last = path.at(-1);
    const parent = configValue(copy, path.slice(0, -1));
    if (last === undefined || typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, last)) continue;
    (parent as Record<string, unknown>)[last] = value;
  }
  return copy;
}
