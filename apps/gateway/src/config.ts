import { field, parseConfig } from '@millwright/config';
import { serviceConfig, targetList } from '@millwright/http';
import { z } from 'zod';
import { hostsOf } from './bases.js';

const targets = targetList().refine((addresses) => addresses.length > 0, {
  error: 'must list addresses such as http://10.0.0.7:3000, separated by commas',
});

const Config = z
  .object(serviceConfig)
  .omit({ MAX_IN_FLIGHT: true })
  .extend({
    /** Where clients reach areas A and B, C, and D: told apart by host and port. */
    BASE_URL: field.baseUrl(),
    RUNTIME_URL: field.baseUrl(),
    PROMPT_API_URL: field.baseUrl(),
    ADMIN_AUTH_TARGETS: targets,
    PLATFORM_API_TARGETS: targets,
    RUNTIME_API_TARGETS: targets,
    PROMPT_API_TARGETS: targets,
    /** A service, or a WebSocket, that is silent for longer is given up. Streams send a sign of life far more often. */
    UPSTREAM_IDLE_TIMEOUT_MS: field.integer(1, 3_600_000).default(300_000),
    /** The only port to listen on, where TLS is terminated in front. Without it: each port the base addresses name. */
    PORT: serviceConfig.PORT.optional(),
  })
  .superRefine((config, context) => {
    const report = (variable: string, message: string) =>
      context.addIssue({ code: 'custom', path: [variable], message });
    const seen = new Map<string, string>();
    for (const variable of ['BASE_URL', 'RUNTIME_URL', 'PROMPT_API_URL'] as const) {
      const hosts = hostsOf(config[variable]);
      const earlier = hosts.map((host) => seen.get(host)).find((name) => name !== undefined);
      if (earlier !== undefined) report(variable, `must differ from ${earlier} by host or port`);
      for (const host of hosts) seen.set(host, variable);
      if (config.PORT === undefined && config[variable].startsWith('https:'))
        report(variable, 'can be https only with PORT set, where TLS is terminated in front');
    }
  });

export type Config = Readonly<z.output<typeof Config>>;

export const loadConfig = (env: NodeJS.ProcessEnv): Config => parseConfig(Config, env);
