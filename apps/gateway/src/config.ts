import { field, parseConfig } from '@millwright/config';
import { serviceConfig, targetList } from '@millwright/http/process';
import { z } from 'zod';
import { hostsOf } from './bases.js';

const targets = targetList().refine((addresses) => addresses.length > 0, {
  error: 'must list addresses such as http://10.0.0.7:3000, separated by commas',
});

const Config = z
  .object({
    ...serviceConfig,
    /** Address for clients of admin-auth and the platform API. The three base addresses differ in host or port. */
    BASE_URL: field.baseUrl(),
    RUNTIME_URL: field.baseUrl(),
    PROMPT_API_URL: field.baseUrl(),
    ADMIN_AUTH_TARGETS: targets,
    PLATFORM_API_TARGETS: targets,
    RUNTIME_API_TARGETS: targets,
    PROMPT_API_TARGETS: targets,
    /** Milliseconds without a byte after which a request or a WebSocket is ended. Event streams stay open, because they send comments more often. */
    UPSTREAM_IDLE_TIMEOUT_MS: field.integer(1, 3_600_000).default(300_000),
    /** The only port to listen on, for installations where a proxy in front ends TLS. Default: the port of each base address. */
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
