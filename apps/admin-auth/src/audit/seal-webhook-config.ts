import { field } from '@millwright/config';
import { z } from 'zod';
import { isWebhookSecret, WEBHOOK_SECRET_REASON } from '@millwright/events/signatures';

/** Settings of the webhook that receives the hashes of the audit log's seals outside the installation. */
export const sealWebhookConfig = {
  /** Address to which each seal is posted. */
  AUDIT_SEAL_WEBHOOK_URL: field.url().optional(),
  /** Secret with which each post to the webhook is signed. */
  AUDIT_SEAL_WEBHOOK_SECRET: z.string().refine(isWebhookSecret, WEBHOOK_SECRET_REASON).optional(),
};

export type SealWebhookConfig = { [Name in keyof typeof sealWebhookConfig]?: string | undefined };

/** Reports a fault when the settings name a webhook but not the key of its signatures. */
export function requireSealWebhookSecret(config: SealWebhookConfig, context: z.RefinementCtx): void {
  if (config.AUDIT_SEAL_WEBHOOK_URL === undefined || config.AUDIT_SEAL_WEBHOOK_SECRET !== undefined) return;
  const message = 'is required with AUDIT_SEAL_WEBHOOK_URL';
  context.addIssue({ code: 'custom', path: ['AUDIT_SEAL_WEBHOOK_SECRET'], message });
}
