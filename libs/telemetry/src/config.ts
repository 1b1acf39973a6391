import { field } from '@millwright/config';
import { z } from 'zod';

/** The names of samplers in OpenTelemetry. OTEL_TRACES_SAMPLER_ARG is the ratio of a sampler that needs one. */
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/** OpenTelemetry's standard variables, for an app's config schema. Without an endpoint, nothing is traced. */
export const tracingConfig = {
  /** Base address of an OTLP/HTTP collector; traces go to `/v1/traces` below it. */
  OTEL_EXPORTER_OTLP_ENDPOINT: field.url().optional(),
  /** Headers that are sent with each export: `name=value`, percent-encoded, separated by commas. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .refine((text) => parseHeaders(text) !== undefined, 'must list name=value, percent-encoded, separated by commas')
    .optional(),
  /** Name of the service in traces. Default: the service's own name. */
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .string()
    .refine((name) => samplers.some((sampler) => sampler === name), `must be one of ${samplers.join(', ')}`)
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((text) => /^\d+(\.\d+)?$/.test(text) && Number(text) <= 1, 'must be a number from 0 to 1')
    .default('1'),
};

export type TracingConfig = Readonly<z.output<z.ZodObject<typeof tracingConfig>>>;

/** Parses headers in OpenTelemetry's format for variables: `authorization=Bearer%20…`. */
export function parseHeaders(text: string): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const entry of text.split(',').filter((part) => part.trim() !== '')) {
    const [, name = '', value = ''] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(entry) ?? [];
    if (name === '') return undefined;
    try {
      headers[name.toLowerCase()] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
  }
  return headers;
}
