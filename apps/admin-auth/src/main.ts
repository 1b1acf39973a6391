import { loadSigningKey, publishSigningKey } from '@millwright/auth';
import { runArea } from '@millwright/http';
import { createApp } from './app.js';
import { loadConfig } from './config.js';

runArea({
  name: 'admin-auth',
  area: 'admin',
  loadConfig: () => loadConfig(process.env),
  create: async (config, deps) => {
    await publishSigningKey(deps.db, 'admin-auth', await loadSigningKey(config.SIGNING_KEY_FILE));
    return { app: createApp({ ...deps, config }) };
  },
});
