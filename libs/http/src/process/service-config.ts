import { field } from '@millwright/config';
import { tracingConfig } from '@millwright/telemetry';
import { z } from 'zod';

/** `http://host:port` of every replica of a service, separated by commas. */
export const targetList = () =>
  field.list(field.baseUrl()).refine((addresses) => addresses.every((address) => address.startsWith('http://')), {
    error: 'must list addresses such as http://10.0.0.7:3000, separated by commas',
  });

/** Settings that the config schema of every app contains. */
export const serviceConfig = {
  HOST: z.string().default('0.0.0.0'),
  PORT: field.port(),
  /** Port of health and metrics, for operators. It must not be reachable from outside. */
  ADMIN_PORT: field.port(),
  LOG_LEVEL: field.logLevel().default('info'),
  /**
   * Milliseconds for which a stopping process still answers, with `Connection: close`, so that proxies stop using it
   * before it stops listening.
   */
  SHUTDOWN_ANNOUNCE_MS: field.integer(0, 60_000).default(1_500),
  /** Milliseconds in which requests in flight may finish after the announcement. */
  SHUTDOWN_GRACE_MS: field.integer(0, 600_000).default(30_000),
  /** Number of trusted proxies in front of the service that append to `X-Forwarded-For`. */
  TRUSTED_PROXY_HOPS: field.integer(0, 16).default(0),
  /** Limit of open connections. At the limit, idle connections are closed, and further connections are answered 503. */
  MAX_CONNECTIONS: field.integer(10).default(10_000),
  /**
   * Limit of open connections of one address, or one IPv6 /64, when there is no proxy in front. Further connections are
   * answered 429.
   */
  MAX_CONNECTIONS_PER_ADDRESS: field.integer(1).default(512),
  ...tracingConfig,
};

/** Limits of one process and of each caller in it. The config schema of an app contains these settings. */
export const capacityConfig = {
  /**
   * Limit of requests that are being answered. The same limit applies separately to requests whose bodies are being
   * received. Further requests are answered 503.
   */
  MAX_IN_FLIGHT: field.integer(1).default(1_000),
  /** Limit of concurrent requests of one IP address without a known caller. Further requests wait, then are answered 429. */
  MAX_IN_FLIGHT_PER_ADDRESS: field.integer(1).default(20),
  /** Limit of concurrent requests of one account, over all its credentials. Further requests wait, then are answered 429. */
  MAX_IN_FLIGHT_PER_USER: field.integer(1).default(50),
  /** Limit of concurrent requests of one project. Further requests wait, then are answered 429. */
  MAX_IN_FLIGHT_PER_PROJECT: field.integer(1).default(500),
  /** Limit of open event streams, which are counted separately from requests; further streams are answered 503. */
  MAX_STREAMS: field.integer(1).default(2_000),
  /**
   * Limit of open event streams of one account, over all its credentials and all processes of the service; further streams are answered
   * 429.
   */
  MAX_STREAMS_PER_USER: field.integer(1).default(64),
  /** Limit of open event streams of one project, over all processes of the service; further streams are answered 429. */
  MAX_STREAMS_PER_PROJECT: field.integer(1).default(1_000),
  /** Milliseconds within which a body must arrive, unless it is an upload. The rate of an upload is measured over the same interval. */
  BODY_TIMEOUT_MS: field.integer(100, 300_000).default(10_000),
  /** Minimum rate of an upload in bytes a second. */
  UPLOAD_MIN_RATE: field.integer(1).default(1_024),
};

export type Capacity = Readonly<z.output<z.ZodObject<typeof capacityConfig>>>;

/** The default limits, some of which `given` replaces. */
export const capacityWith = (given: Partial<Capacity> = {}): Capacity => ({
  ...z.object(capacityConfig).parse({}),
  ...given,
});
