import type { Caller } from '@millwright/auth';
import { newId, type Target, type Tx, type Versioned } from '@millwright/db';
import { EgressError, type Egress } from '@millwright/egress';
import { invalidField } from '@millwright/errors';
import { openSecret, sealSecret } from '@millwright/events';
import { newWebhookSecret } from '@millwright/events/signatures';
import type { Reply, StoredReply } from '@millwright/http';
import type { SecretBox } from '@millwright/secrets';
import { z } from 'zod';
import { KEPT, type NewWebhook, type Webhook } from './webhooks.contract.js';
import type { WebhookStore } from './webhooks.store.js';

export interface WebhookServiceOptions {
  webhooks: WebhookStore;
  egress: Pick<Egress, 'checkReachable'>;
  secretBox: SecretBox;
}

/** The reason is the same for every refused address, so that the answer reveals nothing about our network. */
const NOT_REACHABLE = 'must be the address of a public server that answers without a redirect, by https';
/** Milliseconds after a rotation in which events are also signed with the former secret. */
const OVERLAP_MS = 24 * 3_600_000;

const Source = z.object({ webhook: z.string(), secret: z.string() });

/** The rules of webhooks: allowed addresses, and secrets that are shown once. */
export function createWebhookService({ webhooks, egress, secretBox }: WebhookServiceOptions) {
  /** Makes the answer with the secret. The copy of the answer that is stored for repeated requests contains the secret only encrypted. */
  function withSecret({ record, version }: Versioned<Webhook>, uuid: string, secret: string, sealed: string): Reply {
    const stored = { body: { ...record, secret: KEPT }, source: { webhook: uuid, secret: sealed } };
    return { body: { ...record, secret }, version, stored };
  }

  return {
    /**
     * Checks the address over the network. The function must be called outside transactions.
     * @throws AppError validation_error for `url` when the address is not allowed
     */
    async requireReachable(url: string): Promise<void> {
      try {
        await egress.checkReachable(url);
      } catch (error) {
        // A host name may be created after the webhook is registered; each connection checks the address again.
        if (error instanceof EgressError && error.kind === 'unresolvable') return;
        throw error instanceof EgressError ? invalidField('url', NOT_REACHABLE) : error;
      }
    },

    async create(tx: Tx, caller: Caller, input: NewWebhook): Promise<Reply> {
      const [id, secret] = [newId(), newWebhookSecret()];
      const sealed = sealSecret(secretBox, id, secret);
      const created = await webhooks.create(tx, caller, id, { ...input, secret: sealed });
      const Location = `/api/v1/webhooks/${created.record.id}`;
      return { ...withSecret(created, id, secret, sealed), headers: { Location } };
    },

    async rotate(tx: Tx, caller: Caller, target: Target): Promise<Reply> {
      const current = await webhooks.lock(tx, caller, target);
      const secret = newWebhookSecret();
      const sealed = sealSecret(secretBox, current.id, secret);
      const former_until = new Date(Date.now() + OVERLAP_MS);
      const change = { secret: sealed, former_secret: current.secret, former_until };
      return withSecret(await webhooks.change(tx, caller, current, change), current.id, secret, sealed);
    },

    /** Restores the body of a stored answer with its secret. */
    restore({ body, source }: StoredReply): Promise<unknown> {
      const { webhook, secret } = Source.parse(source);
      return Promise.resolve({ ...z.looseObject({}).parse(body), secret: openSecret(secretBox, webhook, secret) });
    },
  };
}
export type WebhookService = ReturnType<typeof createWebhookService>;
