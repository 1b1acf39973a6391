import type { PluginConfig, PluginType } from '@millwright/catalog/plugin-config';
import { parsePart } from '@millwright/http';
import { z } from 'zod';

/** RFC 9110 §5.1 and §5.5: a token, and visible characters. */
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

/** The built-in config schema of each type. */
const SHAPES = {
  tool: { url: Url, headers: Headers.optional(), input_schema: z.record(z.string(), z.unknown()).optional() },
  data_source: { url: Url, headers: Headers.optional() },
  integration: { server_id: z.string().max(100) },
} as const satisfies Record<PluginType, z.ZodRawShape>;

/**
 * Besides the type's own settings a config has those that its schema declares, and no others.
 *
 * @throws AppError validation_error naming each field at fault.
 */
export function requireConfigShape(type: PluginType, config: PluginConfig, configSchema: PluginConfig): void {
  const declared = Object.keys(configSchema['properties'] ?? {});
  const own: z.ZodRawShape = SHAPES[type];
  const further = declared
    .filter((name) => !(name in own))
    .map((name): [string, z.ZodType] => [name, z.unknown().optional()]);
  const shape = z.strictObject({ ...Object.fromEntries(further), ...own });
  parsePart(z.object({ config: shape }), { config }, 'body');
}
