import { field } from '@millwright/config';
import { z } from 'zod';
import { isWebhookSecret, WEBHOOK_SECRET_REASON } from '@millwright/events/signatures';

/** Settings of the delivery of recovery links. */
export const deliveryConfig = {
  /** The accounts that a link may recover: no accounts, only the accounts of users who are not admins, or all. */
  RECOVERY: z.enum(['off', 'users-only', 'all']).default('all'),
  /** How recovery links are delivered. */
  MAGIC_LINK_DELIVERY: z.enum(['log', 'smtp', 'webhook']).default('log'),
  /** The mail server of `smtp`. */
  SMTP_URL: field.url(['smtp:', 'smtps:']).optional(),
  /** Sender of the mails. */
  MAIL_FROM: z
    .string()
    .refine((text) => /^[^\r\n@]{1,200}@[^\r\n@\s]{1,200}$/.test(text), 'must be an address, with or without a name')
    .optional(),
  /** Address to which `webhook` posts each link. */
  MAGIC_LINK_WEBHOOK_URL: field.url().optional(),
  /** Key with which the posts are signed. */
  MAGIC_LINK_WEBHOOK_SECRET: z.string().refine(isWebhookSecret, WEBHOOK_SECRET_REASON).optional(),
};

const NEEDED = {
  log: [],
  smtp: ['SMTP_URL', 'MAIL_FROM'],
  webhook: ['MAGIC_LINK_WEBHOOK_URL', 'MAGIC_LINK_WEBHOOK_SECRET'],
} as const satisfies Record<string, readonly (keyof typeof deliveryConfig)[]>;

export type Recovery = DeliveryConfig['RECOVERY'];
export type DeliveryConfig = Readonly<z.output<z.ZodObject<typeof deliveryConfig>>>;

/** Reports settings that the chosen delivery requires and that are missing. */
export function requireDeliverySettings(config: DeliveryConfig, context: z.RefinementCtx): void {
  for (const name of NEEDED[config.MAGIC_LINK_DELIVERY]) {
    const message = `is required where MAGIC_LINK_DELIVERY is ${config.MAGIC_LINK_DELIVERY}`;
    if (config[name] === undefined) context.addIssue({ code: 'custom', path: [name], message });
  }
}

/** Whether a public console writes recovery links to its log: every reader of the log could then recover the accounts of other users. */
export function exposesLinks(
  config: Pick<DeliveryConfig, 'RECOVERY' | 'MAGIC_LINK_DELIVERY'> & { BASE_URL: string },
): boolean {
  return config.RECOVERY !== 'off' && config.MAGIC_LINK_DELIVERY === 'log' && config.BASE_URL.startsWith('https:');
}
