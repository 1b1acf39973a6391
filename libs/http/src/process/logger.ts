import { currentTraceId, isTracing } from '@millwright/telemetry';
import { pino, type DestinationStream, type Logger } from 'pino';

export type { Logger };

const secretNames = [
  'authorization',
  'cookie',
  'set-cookie',
  'api-key',
  'x-api-key',
  'api_key',
  'apiKey',
  'password',
  'secret',
  'client_secret',
  'clientSecret',
  'token',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
];

/**
 * Paths of values that are not written. They are listed one by one, because a path with a wildcard costs more than the
 * rest of a log line.
 */
const redactedPaths = secretNames.flatMap((name) => [`["${name}"]`, `headers["${name}"]`, `body["${name}"]`]);

export interface LoggerOptions {
  service: string;
  level: string;
  version: string;
  destination?: DestinationStream;
}

/**
 * Writes one JSON object per line to standard output, with the id of the current trace, if any. Values of properties with a secret's
 * name, at the top level or in `headers` or `body`, are not written.
 */
export function createLogger({ service, level, version, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service, version },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      ...(isTracing() && { mixin: () => ({ trace_id: currentTraceId() }) }),
      redact: { paths: redactedPaths, censor: '[redacted]' },
    },
    // Lines are written immediately and without delaying the request. pino writes the rest at exit.
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
}
