import { SPENDING } from '@millwright/budgets';
import { loadSigningKey, watchSigningKey } from '@millwright/auth/signing-keys';
import { createSecretBox } from '@millwright/secrets';
import { createEgress, egressOptions } from '@millwright/egress';
import { openFileStorage } from '@millwright/files';
import { runArea } from '@millwright/http';
import { checkedFetch, createModelRegistry, loadModels, MODEL_ANSWER_MAX_BYTES, MODELS } from '@millwright/models';
import { createSchemaValidator } from '@millwright/schemas';
import { createApp } from './app.js';
import { loadConfig } from './config.js';
import { startFileSweep } from './files/file-sweep.js';
import { createSessionChanges, MCP_SESSIONS } from '@millwright/mcp/client-sessions';
import { createRunSignals, RUNS } from '@millwright/runs';

runArea({
  name: 'runtime-api',
  area: 'runtime',
  loadConfig: () => loadConfig(process.env),
  create: async (config, deps) => {
    await loadSigningKey(config.SIGNING_KEY_FILE); // a bad key file makes the start fail before the database is needed
    await deps.databaseReady();
    const key = await watchSigningKey(deps.db, 'runtime-api', {
      file: config.SIGNING_KEY_FILE,
      onRotation: (kid) => deps.logger.info({ kid }, 'signing with another key from now on'),
      onError: (err) => deps.logger.error({ err }, 'the signing key could not be read again'),
    });
    const egress = createEgress(egressOptions(config));
    const secretBox = createSecretBox(config.SECRETS_KEYS);
    const models = createModelRegistry({
      db: deps.db,
      environment: loadModels(config),
      trusted: egress.trusted({ maxBytes: MODEL_ANSWER_MAX_BYTES }),
      fetch: checkedFetch(egress),
      secretBox,
      timeoutMs: config.MODEL_TIMEOUT_MS,
    });
    const storage = await openFileStorage(config);
    storage
      .check()
      .catch((err: unknown) =>
        deps.logger.warn({ err }, 'the storage of files does not answer: uploads and downloads fail until it does'),
      );
    const stopSweep = startFileSweep({ db: deps.db, storage, logger: deps.logger });
    const validator = createSchemaValidator();
    const signals = createRunSignals();
    const sessionChanges = createSessionChanges();
    const draining = new AbortController();
    const close = async () => {
      await runs.close();
      await stopSweep();
      storage.close();
      await key.stop();
      await validator.close();
      await models.close();
      await egress.close();
    };
    const { app, runs, onSpending } = createApp({
      ...deps,
      config,
      models,
      egress,
      validator,
      secretBox,
      storage,
      signals,
      sessionChanges,
      draining: draining.signal,
      signingKey: key.current,
    });
    runs.start();
    return {
      app,
      close,
      onDrain: () => draining.abort(),
      listeners: {
        [SPENDING]: onSpending,
        [MODELS]: models.refresh,
        [RUNS]: signals.hear,
        [MCP_SESSIONS]: sessionChanges.notify,
      },
    };
  },
});
