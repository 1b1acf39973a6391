import type { EgressFetch } from '@millwright/egress';
import type { Logger } from '@millwright/http/process';
import type { DeliveryConfig } from './delivery-config.js';
import type { Sender } from './delivery.js';
import { createLogSender, createSmtpSender, createWebhookSender } from './senders.js';

/** Creates the sender that the settings name. The configuration has checked that the settings of this sender are complete. */
export function configuredSender(config: DeliveryConfig, deps: { logger: Logger; fetch: EgressFetch }): Sender {
  const { MAGIC_LINK_DELIVERY: channel, SMTP_URL = '', MAIL_FROM = '' } = config;
  const { MAGIC_LINK_WEBHOOK_URL = '', MAGIC_LINK_WEBHOOK_SECRET = '' } = config;
  if (channel === 'smtp') return createSmtpSender({ url: SMTP_URL, from: MAIL_FROM });
  if (channel === 'webhook')
    return createWebhookSender({ url: MAGIC_LINK_WEBHOOK_URL, secret: MAGIC_LINK_WEBHOOK_SECRET, fetch: deps.fetch });
  return createLogSender(deps.logger);
}
