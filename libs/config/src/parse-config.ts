import type { z } from 'zod';

export interface ConfigFault {
  /** The environment variable. */
  variable: string;
  reason: string;
}

/**
 * Error for an invalid environment. The message names every invalid variable and never contains a value. The process
 * exits with 78 (EX_CONFIG, sysexits.h).
 */
export class ConfigError extends Error {
  readonly exitCode = 78;
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(['The configuration is not valid:', ...faults.map((f) => `  ${f.variable}: ${f.reason}`)].join('\n'));
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Parses an environment into typed configuration. An empty variable counts as unset.
 *
 * @throws ConfigError with all faults at once.
 */
export function parseConfig<Schema extends z.ZodObject>(
  schema: Schema,
  env: Readonly<Record<string, string | undefined>>,
): Readonly<z.output<Schema>> {
  const known = Object.keys(schema.shape);
  const input = Object.fromEntries(known.filter((name) => env[name]).map((name) => [name, env[name]]));
  const result = schema.safeParse(input);
  if (result.success) return Object.freeze(result.data);
  throw new ConfigError(
    result.error.issues.map((issue) => {
      const variable = String(issue.path[0] ?? 'environment');
      const missing = issue.code === 'invalid_type' && input[variable] === undefined;
      return { variable, reason: missing ? 'is required' : reasonWithoutValue(issue) };
    }),
  );
}

/**
 * Returns the text for a fault. A text of zod may quote the value, so the text comes from the schema (`error: '…'`) or
 * is generic.
 */
function reasonWithoutValue(issue: z.core.$ZodIssue): string {
  return issue.code === 'custom' ? issue.message : 'is not valid';
}
