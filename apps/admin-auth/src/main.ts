import { createTokenSigner, loadSigningKey, publishSigningKey } from '@millwright/auth';
import { createEgress, egressOptions } from '@millwright/egress';
import { runArea } from '@millwright/http';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { configuredSender } from './magic-link/configured-sender.js';
import { createDelivery } from './magic-link/delivery.js';
import { loadAssets } from './pages/assets.js';

runArea({
  name: 'admin-auth',
  area: 'admin',
  loadConfig: () => loadConfig(process.env),
  create: async (config, deps) => {
    const key = await loadSigningKey(config.SIGNING_KEY_FILE);
    const assets = await loadAssets(new URL('assets/', import.meta.url));
    await publishSigningKey(deps.db, 'admin-auth', key);
    if (config.SECURITY_ALLOW_REGISTRATION) {
      deps.logger.warn(
        "registration is open, with a role of the registrant's choice: SECURITY_ALLOW_REGISTRATION=false closes it",
      );
    }
    const egress = createEgress(egressOptions(config));
    const sender = configuredSender(config, { logger: deps.logger, fetch: egress.fetch });
    const delivery = createDelivery({ ...deps, sender });
    return {
      app: createApp({ ...deps, config, sign: createTokenSigner(key), assets, delivery }),
      close: async () => {
        await delivery.close();
        await egress.close();
      },
    };
  },
});
