import { field } from '@millwright/config';
import { z } from 'zod';
import { parseAllowEntry } from './allow-list.js';
import type { EgressOptions } from './egress.js';

const allowEntry = z
  .string()
  .refine(
    (text) => parseAllowEntry(text) !== undefined,
    'must list host, host:port, CIDR or CIDR:port, separated by commas',
  );

/** Settings for the config schema of every app that makes outbound calls. */
export const egressConfig = {
  EGRESS_ALLOW_LOOPBACK: field.flag().default(false),
  EGRESS_ALLOW_HTTP: field.flag().default(false),
  EGRESS_ALLOW: field.list(allowEntry).default([]),
  EGRESS_CA_FILE: z.string().optional(),
  EGRESS_PROXY: field.url().optional(),
};

export type EgressConfig = Readonly<z.output<z.ZodObject<typeof egressConfig>>>;

/** Makes the options of `createEgress` from the settings. */
export function egressOptions(config: EgressConfig): EgressOptions {
  return {
    allowLoopback: config.EGRESS_ALLOW_LOOPBACK,
    allowHttp: config.EGRESS_ALLOW_HTTP,
    allow: config.EGRESS_ALLOW,
    caFile: config.EGRESS_CA_FILE,
    proxy: config.EGRESS_PROXY,
  };
}
