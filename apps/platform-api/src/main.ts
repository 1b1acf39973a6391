import { createSecretBox } from '@millwright/catalog';
import { createEgress, egressOptions } from '@millwright/egress';
import { runArea } from '@millwright/http';
import { loadModels } from '@millwright/models';
import { createSchemaValidator } from '@millwright/schemas';
import { createApp } from './app.js';
import { loadConfig } from './config.js';

runArea({
  name: 'platform-api',
  area: 'platform',
  loadConfig: () => loadConfig(process.env),
  create: (config, deps) => {
    const models = new Set(loadModels(config).map(({ name }) => name));
    const box = createSecretBox(config.SECRETS_KEYS);
    const egress = createEgress(egressOptions(config));
    const validator = createSchemaValidator();
    const close = async () => {
      await validator.close();
      await egress.close();
    };
    const isKnownModel = (name: string) => models.has(name);
    return Promise.resolve({ app: createApp({ ...deps, config, isKnownModel, box, egress, validator }), close });
  },
});
