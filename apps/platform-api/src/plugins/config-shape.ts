import type { PluginConfig, PluginType } from '@millwright/catalog/plugin-config';
import { FILTER_SETTINGS } from '@millwright/guards';
import { parsePart } from '@millwright/http';
import { z } from 'zod';
import { AgentTokenAuth } from '../mcp-servers/mcp-servers.contract.js';

/** Headers with names and values by RFC 9110 §5.1 and §5.5: a name is a token, and a value has visible characters. */
const Headers = z
  .record(
    z
      .string()
      .max(100)
      .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
    z
      .string()
      .max(8_000)
      .regex(/^[\t\x20-\x7e\x80-\xff]*$/),
  )
  .refine((headers) => Object.keys(headers).length <= 50, 'must have at most 50 headers');

const Url = z.string().min(1).max(2_000);

/** Authentication of calls: none, or a token of this installation in each call. */
const Auth = z.discriminatedUnion('type', [z.strictObject({ type: z.literal('none') }), AgentTokenAuth]);

/** The built-in config schema of each type. */
const SHAPES = {
  tool: {
    url: Url,
    headers: Headers.optional(),
    auth: Auth.optional(),
    input_schema: z.record(z.string(), z.unknown()).optional(),
  },
  data_source: { url: Url, headers: Headers.optional() },
  integration: { server_id: z.string().max(100) },
  filter: { url: Url, headers: Headers.optional(), ...FILTER_SETTINGS },
} as const satisfies Record<PluginType, z.ZodRawShape>;

/**
 * Refuses a config with settings that neither its type nor its schema declares, or with invalid values of its type.
 * @throws AppError validation_error, which names each invalid field.
 */
export function requireConfigShape(type: PluginType, config: PluginConfig, configSchema: PluginConfig): void {
  const declared = Object.keys(configSchema['properties'] ?? {});
  // A plugin's schema may declare `auth` as a setting of the plugin. Then the built-in form of `auth` does not apply.
  const own = Object.entries<z.ZodType>(SHAPES[type]).filter(([name]) => name !== 'auth' || !declared.includes('auth'));
  const further = declared
    .filter((name) => !own.some(([known]) => known === name))
    .map((name): [string, z.ZodType] => [name, z.unknown().optional()]);
  const shape = z.strictObject({ ...Object.fromEntries([...further, ...own]) });
  parsePart(z.object({ config: shape }), { config }, 'body');
}
