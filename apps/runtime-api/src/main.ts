import { loadSigningKey, publishSigningKey } from '@millwright/auth';
import { createSecretBox } from '@millwright/catalog';
import { createEgress, egressOptions } from '@millwright/egress';
import { runArea } from '@millwright/http';
import { createModels, loadModels } from '@millwright/models';
import { createApp } from './app.js';
import { loadConfig } from './config.js';

/** A model that floods is cut off here. */
const MODEL_ANSWER_MAX_BYTES = 16 * 1_048_576;

runArea({
  name: 'runtime-api',
  area: 'runtime',
  loadConfig: () => loadConfig(process.env),
  create: async (config, deps) => {
    const signingKey = await loadSigningKey(config.SIGNING_KEY_FILE);
    await publishSigningKey(deps.db, 'runtime-api', signingKey);
    const egress = createEgress(egressOptions(config));
    const models = createModels({
      models: loadModels(config),
      fetch: egress.trusted({ maxBytes: MODEL_ANSWER_MAX_BYTES }),
    });
    const box = createSecretBox(config.SECRETS_KEYS);
    const close = async () => {
      await models.close();
      await egress.close();
    };
    return { app: createApp({ ...deps, config, models, egress, box, signingKey }), close };
  },
});
