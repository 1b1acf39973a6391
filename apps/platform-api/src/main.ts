import { createSecretBox } from '@millwright/catalog';
import { createEgress, egressOptions } from '@millwright/egress';
import { runArea } from '@millwright/http';
import { loadModels } from '@millwright/models';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { createMcpProbes } from './mcp-servers/probes.js';

runArea({
  name: 'platform-api',
  area: 'platform',
  loadConfig: () => loadConfig(process.env),
  create: (config, deps) => {
    const models = new Set(loadModels(config).map(({ name }) => name));
    const egress = createEgress(egressOptions(config));
    const box = createSecretBox(config.SECRETS_KEYS);
    const probes = createMcpProbes({ ...deps, fetch: egress.fetch, secrets: box });
    const app = createApp({ ...deps, config, egress, box, probes, isKnownModel: (name) => models.has(name) });
    const close = async () => {
      await probes.close();
      await egress.close();
    };
    return Promise.resolve({ app, close });
  },
});
