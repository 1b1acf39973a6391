import { createSpending, SPENDING } from '@millwright/budgets';
import { openPluginConfig } from '@millwright/catalog';
import { createEgress, egressOptions } from '@millwright/egress';
import { runArea } from '@millwright/http';
import { checkedFetch, createModelRegistry, loadModels, MODEL_ANSWER_MAX_BYTES, MODELS } from '@millwright/models';
import { createAskFilter } from '@millwright/guards';
import { createApp } from './app.js';
import { createAgentRuns } from './chat/agent-runs.js';
import { loadConfig } from './config.js';
import { createPromptRuns } from './runs/prompt-runs.js';
import { createRunSignals, RUNS } from '@millwright/runs';
import { createSecretBox } from '@millwright/secrets';
import { createSchemaValidator } from '@millwright/schemas';

runArea({
  name: 'prompt-api',
  area: 'prompt',
  loadConfig: () => loadConfig(process.env),
  create: (config, deps) => {
    const egress = createEgress(egressOptions(config));
    const secretBox = createSecretBox(config.SECRETS_KEYS);
    const askFilter = createAskFilter({
      ...{ fetch: egress.fetch, limiter: deps.limiter },
      openConfig: (filter) => openPluginConfig(secretBox, filter),
    });
    const models = createModelRegistry({
      db: deps.db,
      environment: loadModels(config),
      trusted: egress.trusted({ maxBytes: MODEL_ANSWER_MAX_BYTES }),
      fetch: checkedFetch(egress),
      secretBox,
      timeoutMs: config.MODEL_TIMEOUT_MS,
    });
    const validator = createSchemaValidator();
    const spending = createSpending({ db: deps.db, models });
    const signals = createRunSignals();
    const promptRuns = createPromptRuns({ db: deps.db, spending, signals, logger: deps.logger });
    promptRuns.watch();
    const agentRuns = createAgentRuns({ db: deps.db, models, signals, askFilter, logger: deps.logger });
    const close = async () => {
      await promptRuns.close();
      await validator.close();
      await models.close();
      await egress.close();
    };
    return Promise.resolve({
      app: createApp({ ...deps, config, models, validator, promptRuns, agentRuns, askFilter, spending }),
      close,
      listeners: { [SPENDING]: spending.refresh, [MODELS]: models.refresh, [RUNS]: signals.hear },
    });
  },
});
