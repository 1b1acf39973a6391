import { createTokenSigner, watchSigningKey } from '@millwright/auth';
import { runArea } from '@millwright/http';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { startJobs } from './jobs/start-jobs.js';
import { loadAssets } from './pages/assets.js';

runArea({
  name: 'admin-auth',
  area: 'admin',
  loadConfig: () => loadConfig(process.env),
  create: async (config, deps) => {
    const assets = await loadAssets(new URL('assets/', import.meta.url));
    const key = await watchSigningKey(deps.db, 'admin-auth', {
      file: config.SIGNING_KEY_FILE,
      onRotation: (kid) => deps.logger.info({ kid }, 'signing with another key from now on'),
      onError: (err) => deps.logger.error({ err }, 'the signing key could not be read again'),
    });
    const signingKey = key.current;
    const scheduler = await startJobs({ ...deps, config, signingKey, programUrl: import.meta.url });
    if (config.SECURITY_ALLOW_REGISTRATION) {
      deps.logger.warn(
        "registration is open, with a role of the registrant's choice: SECURITY_ALLOW_REGISTRATION=false closes it",
      );
    }
    const app = createApp({ ...deps, config, sign: createTokenSigner(signingKey), signingKey, scheduler, assets });
    const close = async () => {
      await Promise.all([scheduler.stop(), key.stop()]);
    };
    return { app, close };
  },
});
