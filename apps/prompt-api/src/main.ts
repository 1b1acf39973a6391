import { createSpending, SPENDING } from '@millwright/budgets';
import { createEgress, egressOptions } from '@millwright/egress';
import { runArea } from '@millwright/http';
import { createModels, loadModels } from '@millwright/models';
import { createApp } from './app.js';
import { createAgentRuns } from './chat/agent-runs.js';
import { loadConfig } from './config.js';
import { createPromptRuns } from './runs/prompt-runs.js';
import { createRunSignals, RUNS } from '@millwright/runs';
import { createSchemaValidator } from '@millwright/schemas';

/** Limit of a model's answer in bytes. */
const MODEL_ANSWER_MAX_BYTES = 16 * 1_048_576;

runArea({
  name: 'prompt-api',
  area: 'prompt',
  loadConfig: () => loadConfig(process.env),
  create: (config, deps) => {
    const egress = createEgress(egressOptions(config));
    const models = createModels({
      models: loadModels(config),
      fetch: egress.trusted({ maxBytes: MODEL_ANSWER_MAX_BYTES }),
    });
    const validator = createSchemaValidator();
    const spending = createSpending({ db: deps.db, models });
    const signals = createRunSignals();
    const promptRuns = createPromptRuns({ db: deps.db, spending, signals, logger: deps.logger });
    promptRuns.watch();
    const agentRuns = createAgentRuns({ db: deps.db, models, signals, logger: deps.logger });
    const close = async () => {
      await promptRuns.close();
      await validator.close();
      await models.close();
      await egress.close();
    };
    return Promise.resolve({
      app: createApp({ ...deps, config, models, validator, promptRuns, agentRuns }),
      close,
      listeners: { [SPENDING]: spending.refresh, [RUNS]: signals.hear },
    });
  },
});
