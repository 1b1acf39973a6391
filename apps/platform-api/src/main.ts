import { createAgentRules } from '@millwright/catalog';
import { createSecretBox } from '@millwright/secrets';
import { createEgress, egressOptions } from '@millwright/egress';
import { runArea } from '@millwright/http';
import { createModelCheck, createModelHealth, loadModels } from '@millwright/models';
import { createSchemaValidator } from '@millwright/schemas';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { createMcpProbes } from './mcp-servers/probes.js';

runArea({
  name: 'platform-api',
  area: 'platform',
  loadConfig: () => loadConfig(process.env),
  create: (config, deps) => {
    const models = loadModels(config);
    const agentRules = createAgentRules({
      requireModel: createModelCheck(models),
      publishedByDefault: config.AGENTS_PUBLISHED_BY_DEFAULT,
    });
    const egress = createEgress(egressOptions(config));
    const secretBox = createSecretBox(config.SECRETS_KEYS);
    const validator = createSchemaValidator();
    const probes = createMcpProbes({ ...deps, fetch: egress.fetch, secrets: secretBox });
    const modelHealth = createModelHealth(deps.db);
    const app = createApp({
      ...{ ...deps, config, agentRules, egress, validator, secretBox, probes, models },
      mcpRegistryUrl: config.MCP_REGISTRY_URL,
      unmarkedTools: config.UNMARKED_TOOLS,
      ...{ modelHealth, modelTimeoutMs: config.MODEL_TIMEOUT_MS },
    });
    const close = async () => {
      await probes.close();
      await modelHealth.idle();
      await validator.close();
      await egress.close();
    };
    return Promise.resolve({ app, close });
  },
});
