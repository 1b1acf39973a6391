import { renderers } from '@millwright/errors';
import { createLogger, createMetrics, runMain, serviceVersion, startService } from '@millwright/http/process';
import { startTracing } from '@millwright/telemetry';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { listenAddresses } from './listen-addresses.js';
import { createProxy } from './proxy.js';

runMain('gateway', async () => {
  const config = loadConfig(process.env);
  const service = { service: 'gateway', version: serviceVersion };
  const tracing = await startTracing({
    ...service,
    config,
    onError: (err) => logger.warn({ err }, 'traces are lost until the collector answers again'),
  });
  const logger = createLogger({ ...service, level: config.LOG_LEVEL });
  const metrics = createMetrics(service);
  const proxy = createProxy({
    targets: {
      admin: config.ADMIN_AUTH_TARGETS,
      platform: config.PLATFORM_API_TARGETS,
      runtime: config.RUNTIME_API_TARGETS,
      prompt: config.PROMPT_API_TARGETS,
    },
    idleTimeoutMs: config.UPSTREAM_IDLE_TIMEOUT_MS,
    logger,
  });
  await startService({
    name: 'gateway',
    config,
    addresses: listenAddresses(config),
    app: createApp({ config, proxy, logger, metrics }),
    renderClientError: renderers.platform,
    logger,
    metrics,
    webSockets: true,
    onDrain: proxy.closeWebSockets,
    ready: () => Promise.resolve(undefined),
    close: () => {
      proxy.close();
      return tracing.close();
    },
  });
});
