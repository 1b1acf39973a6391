import { runArea } from '@millwright/http';
import { loadModels } from '@millwright/models';
import { createApp } from './app.js';
import { loadConfig } from './config.js';

runArea({
  name: 'platform-api',
  area: 'platform',
  loadConfig: () => loadConfig(process.env),
  create: (config, deps) => {
    const models = new Set(loadModels(config).map(({ name }) => name));
    return Promise.resolve({ app: createApp({ ...deps, config, isKnownModel: (name) => models.has(name) }) });
  },
});
