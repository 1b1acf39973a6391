import { createTokenSigner } from '@millwright/auth';
import { loadSigningKey, watchSigningKey } from '@millwright/auth/signing-keys';
import { createSecretBox } from '@millwright/secrets';
import { createEgress, egressOptions } from '@millwright/egress';
import { sendEventsRepeatedly } from '@millwright/events';
import { runArea } from '@millwright/http';
import { createApp } from './app.js';
import { readPinnedKids } from './audit/trusted-keys.js';
import { loadDeviceCa } from './bridge/device-ca.js';
import { loadConfig } from './config.js';
import { startJobs } from './jobs/start-jobs.js';
import { exposesLinks } from './magic-link/delivery-config.js';
import { configuredSender } from './magic-link/configured-sender.js';
import { sendNoticesRepeatedly } from './notices/send-notices.js';
import { createDelivery } from './magic-link/delivery.js';
import { createDenialQueue } from './protection/denial-queue.js';
import { loadAttestationPolicy } from './passkeys/attestation.js';
import { loadConsole } from './pages/console-files.js';
import { loadDocs } from './pages/docs-files.js';
import { applyQuotas } from './quotas/apply-quotas.js';
import { watchQuotas } from './quotas/watch-quotas.js';
import { registrationRules } from './registration/registration.service.js';

runArea({
  name: 'admin-auth',
  area: 'admin',
  loadConfig: () => loadConfig(process.env),
  create: async (config, deps) => {
    const deviceCa = await loadDeviceCa(config.DEVICE_CA_KEY_FILE, config.DEVICE_CA_CERT_FILE);
    const attestation = await loadAttestationPolicy(config);
    const assets = await loadConsole(new URL('console/', import.meta.url));
    const docs = await loadDocs(new URL('docs/', import.meta.url));
    await loadSigningKey(config.SIGNING_KEY_FILE); // fails at start, before the database is needed
    const pinnedKids = await readPinnedKids(config.AUDIT_PINNED_KEYS_FILE);
    await deps.databaseReady();
    const key = await watchSigningKey(deps.db, 'admin-auth', {
      file: config.SIGNING_KEY_FILE,
      onRotation: (kid) => deps.logger.info({ kid }, 'signing with another key from now on'),
      onError: (err) => deps.logger.error({ err }, 'the signing key could not be read again'),
    });
    const signingKey = key.current;
    if (pinnedKids?.includes(signingKey().kid) === false) {
      deps.logger.warn(
        { kid: signingKey().kid },
        'AUDIT_PINNED_KEYS_FILE lacks the key that seals the audit log: checks of new seals will fail until it is added',
      );
    }
    await applyQuotas(deps.db, config);
    const quotas = watchQuotas(deps);
    const egress = createEgress(egressOptions(config));
    const secrets = createSecretBox(config.SECRETS_KEYS);
    const scheduler = await startJobs({
      ...deps,
      config,
      signingKey,
      mcp: { fetch: egress.fetch, secrets },
      programUrl: import.meta.url,
    });
    const events = sendEventsRepeatedly({
      ...deps,
      request: egress.request,
      secrets,
      onError: (err) => deps.logger.warn({ err }, 'events for webhooks are delayed'),
    });
    if (registrationRules(config).allowRegistration) {
      deps.logger.warn(
        "registration is open, with a role of the registrant's choice: SECURITY_ALLOW_REGISTRATION=false closes it",
      );
    }
    if (exposesLinks(config)) {
      deps.logger.warn(
        'recovery links go to this log: every reader of it can sign in as any user. Set MAGIC_LINK_DELIVERY, or RECOVERY=off',
      );
    }
    const sender = configuredSender(config, { logger: deps.logger, fetch: egress.fetch });
    const delivery = createDelivery({ ...deps, sender });
    const denials = createDenialQueue(deps);
    const notices = sendNoticesRepeatedly({ db: deps.db, sender, logger: deps.logger, baseUrl: config.BASE_URL });
    return {
      app: createApp({
        ...deps,
        config,
        sign: createTokenSigner(signingKey),
        signingKey,
        scheduler,
        assets,
        docs,
        delivery,
        denials,
        deviceCa,
        attestation,
        sso: { issuers: config.ssoIssuers, fetch: egress.fetch },
      }),
      close: async () => {
        quotas.stop();
        await notices.stop();
        await Promise.all([scheduler.stop(), events.stop(), key.stop(), delivery.close(), denials.settled()]);
        await egress.close();
      },
    };
  },
});
