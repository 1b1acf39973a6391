import { field } from '@millwright/config';
import { tracingConfig } from '@millwright/telemetry';
import { z } from 'zod';

/** `http://host:port` of every replica of a service, separated by commas. */
export const targetList = () =>
  field.list(field.baseUrl()).refine((addresses) => addresses.every((address) => address.startsWith('http://')), {
    error: 'must list addresses such as http://10.0.0.7:3000, separated by commas',
  });

/** What every process reads, to spread into an app's config schema. */
export const serviceConfig = {
  HOST: z.string().default('0.0.0.0'),
  PORT: field.port(),
  /** Health and metrics: for the platform's operators, never routed to from outside. */
  ADMIN_PORT: field.port(),
  LOG_LEVEL: field.logLevel().default('info'),
  /** How long a stopping process still serves, saying `Connection: close`, so that proxies leave before it stops listening. */
  SHUTDOWN_ANNOUNCE_MS: field.integer(0, 60_000).default(1_500),
  /** How long requests in flight may take to finish after that. */
  SHUTDOWN_GRACE_MS: field.integer(0, 600_000).default(30_000),
  /** How many proxies in front append to `X-Forwarded-For` and are believed. */
  TRUSTED_PROXY_HOPS: field.integer(0, 16).default(0),
  /** Requests beyond this many at once are answered 503. */
  MAX_IN_FLIGHT: field.integer(1).default(1_000),
  ...tracingConfig,
};
