import { field } from '@millwright/config';
import { z } from 'zod';

/** Settings of how recovery links reach their owners. */
export const deliveryConfig = {
  /** How recovery links reach their owners. */
  MAGIC_LINK_DELIVERY: z.enum(['log', 'smtp', 'webhook']).default('log'),
  /** The mail server of `smtp`. */
  SMTP_URL: field.url(['smtp:', 'smtps:']).optional(),
  /** Sender of the mails. */
  MAIL_FROM: z
    .string()
    .refine((text) => /^[^\r\n@]{1,200}@[^\r\n@\s]{1,200}$/.test(text), 'must be an address, with or without a name')
    .optional(),
  /** Where `webhook` posts each link. */
  MAGIC_LINK_WEBHOOK_URL: field.url().optional(),
  /** Key of the posts' signatures. */
  MAGIC_LINK_WEBHOOK_SECRET: z.string().refine(isSecret, 'must be whsec_ and 24 to 64 bytes in base64').optional(),
};

const NEEDED = {
  log: [],
  smtp: ['SMTP_URL', 'MAIL_FROM'],
  webhook: ['MAGIC_LINK_WEBHOOK_URL', 'MAGIC_LINK_WEBHOOK_SECRET'],
} as const satisfies Record<string, readonly (keyof typeof deliveryConfig)[]>;

export type DeliveryConfig = Readonly<z.output<z.ZodObject<typeof deliveryConfig>>>;

/** Names what the way of delivery needs and has not. */
export function requireDeliverySettings(config: DeliveryConfig, context: z.RefinementCtx): void {
  for (const name of NEEDED[config.MAGIC_LINK_DELIVERY]) {
    const message = `is required where MAGIC_LINK_DELIVERY is ${config.MAGIC_LINK_DELIVERY}`;
    if (config[name] === undefined) context.addIssue({ code: 'custom', path: [name], message });
  }
}

function isSecret(text: string): boolean {
  const encoded = text.slice('whsec_'.length);
  const bytes = Buffer.from(encoded, 'base64');
  return text.startsWith('whsec_') && bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64;
}
