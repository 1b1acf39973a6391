import { endpoint } from '@millwright/http';
import { EVENT_TYPES, TEST_EVENT, type EventType } from '@millwright/events';
import { timestamp } from '@millwright/records';
import { z } from 'zod';
import { listOf, ListQuery } from '../lists/list.contract.js';

const Status = z.enum(['active', 'inactive']);

/** Mask of a secret in stored answers. */
export const KEPT = '********';

const TYPES = Object.keys(EVENT_TYPES) as EventType[];
/** Types that a webhook may choose. Test events are always sent. */
const ChosenType = z.enum(TYPES.filter((type) => type !== TEST_EVENT));

export const Webhook = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  description: z.string(),
  /** Types of events; an empty list means all types. */
  event_types: z.array(z.string()),
  status: Status,
  /** The reason why the platform made the webhook inactive; null when a user made it inactive. */
  disabled_reason: z.enum(['failing', 'gone']).nullable(),
  /** Time of the first failed attempt since the last successful delivery; null when no attempt has failed since. */
  failing_since: z.string().nullable(),
  /** Time until which events are also signed with the former secret. */
  former_secret_until: z.string().nullable(),
  /** Number of waiting deliveries. From 10000 on, further events are skipped; skipped events can be replayed. */
  waiting: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Webhook = z.output<typeof Webhook>;

/** Only the answer to the request that generated the secret contains the secret. */
export const WebhookWithSecret = Webhook.extend({ secret: z.string() });

const fields = {
  name: z.string().trim().min(1).max(200),
  url: z.string().min(1).max(2_000),
  description: z.string().max(2_000),
  event_types: z
    .array(ChosenType)
    .max(TYPES.length)
    .refine((types) => new Set(types).size === types.length, 'must not name a type twice'),
};
export const NewWebhook = z.strictObject({
  ...fields,
  description: fields.description.default(''),
  event_types: fields.event_types.default([]),
});
export type NewWebhook = z.output<typeof NewWebhook>;

export const WebhookChanges = z.strictObject({ ...fields, status: Status }).partial();
export type WebhookChanges = z.output<typeof WebhookChanges>;

const DeliveryState = z.enum(['pending', 'delivered', 'failed', 'skipped']);

export const Delivery = z.object({
  id: z.string(),
  event: z.object({
    /** Value of the header `webhook-id` in each attempt. */
    id: z.string(),
    type: z.string(),
    subject: z.string(),
    sequence: z.int(),
    created_at: z.string(),
  }),
  /** `failed`: no further attempts after 72 hours. `skipped`: too many deliveries were waiting. */
  state: DeliveryState,
  /** Number of attempts since the delivery was created or replayed. */
  attempts: z.int(),
  /** Time of the next attempt; null when no further attempt is made. */
  next_attempt_at: z.string().nullable(),
  last_attempt_at: z.string().nullable(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
  /** Beginning of the receiver's last answer, at most 4 KiB. */
  answer: z.string().nullable(),
});
export type Delivery = z.output<typeof Delivery>;

const DeliveryWithData = Delivery.extend({ data: z.unknown() });

export const DeliveryQuery = z.object({
  state: DeliveryState.optional(),
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});
export type DeliveryQuery = z.output<typeof DeliveryQuery>;

/** A period whose failed and skipped events are sent again. */
export const Replay = z
  .strictObject({
    since: timestamp,
    until: timestamp.optional(),
    /** Whether delivered events are replayed as well. */
    delivered: z.boolean().default(false),
  })
  .refine(({ since, until }) => until === undefined || new Date(since) < new Date(until), {
    path: ['until'],
    message: 'must be later than since',
  });
export type Replay = z.output<typeof Replay>;

const Replayed = z.object({
  replayed: z.int(),
  /** Whether the period has more events to replay. If so, the request must be repeated. */
  more: z.boolean(),
});

const params = z.object({ webhook_id: z.string() });
const deliveryParams = params.extend({ delivery_id: z.string() });
const one = { status: 200, description: 'The webhook', body: Webhook } as const;
const sent = { status: 202, description: 'The delivery, which waits for its attempt', body: Delivery } as const;

const webhooks = { tag: 'Webhooks', limit: 'credential', access: { scope: 'admin' } } as const;

export const listWebhooks = endpoint({
  ...webhooks,
  operationId: 'listWebhooks',
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'List webhooks',
  query: ListQuery,
  success: { status: 200, description: 'A page of webhooks', body: listOf(Webhook) },
  errors: [],
});

export const createWebhook = endpoint({
  ...webhooks,
  operationId: 'createWebhook',
  method: 'POST',
  path: '/api/v1/webhooks',
  summary: 'Register an address that receives events. The answer has the secret of its signatures, once.',
  body: NewWebhook,
  success: { status: 201, description: 'The new webhook and its secret', body: WebhookWithSecret },
  errors: ['conflict', 'quota_exceeded'],
  long: true,
});

export const getWebhook = endpoint({
  ...webhooks,
  operationId: 'getWebhook',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Retrieve a webhook',
  params,
  success: one,
  errors: [],
});

export const updateWebhook = endpoint({
  ...webhooks,
  operationId: 'updateWebhook',
  method: 'PATCH',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Update fields of a webhook',
  params,
  body: WebhookChanges,
  success: one,
  errors: ['conflict', 'precondition_failed'],
});

export const deleteWebhook = endpoint({
  ...webhooks,
  operationId: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/v1/webhooks/{webhook_id}',
  summary: 'Delete a webhook with its deliveries',
  params,
  success: { status: 204, description: 'Deleted' },
  errors: ['precondition_failed'],
});

export const rotateWebhookSecret = endpoint({
  ...webhooks,
  operationId: 'rotateWebhookSecret',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/rotate-secret',
  summary: 'Replace the secret of a webhook. Events are signed with both secrets for 24 hours.',
  params,
  success: { status: 200, description: 'The webhook and its new secret', body: WebhookWithSecret },
  errors: ['precondition_failed'],
});

export const testWebhook = endpoint({
  ...webhooks,
  operationId: 'testWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/test',
  summary: 'Send the event webhook.test to an active webhook',
  params,
  success: sent,
  errors: ['conflict'],
});

export const replayWebhook = endpoint({
  ...webhooks,
  operationId: 'replayWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/replay',
  summary: 'Send the events of a period again, at most 1000 at once, oldest first',
  params,
  body: Replay,
  success: { status: 202, description: 'The number of deliveries that wait again', body: Replayed },
  errors: ['conflict'],
});

export const listDeliveries = endpoint({
  ...webhooks,
  operationId: 'listWebhookDeliveries',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}/deliveries',
  summary: 'List the deliveries of a webhook, newest first',
  params,
  query: DeliveryQuery,
  success: {
    status: 200,
    description: 'A page of deliveries',
    body: z.object({ items: z.array(Delivery), next_cursor: z.string().nullable() }),
  },
  errors: [],
});

export const getDelivery = endpoint({
  ...webhooks,
  operationId: 'getWebhookDelivery',
  method: 'GET',
  path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}',
  summary: "Retrieve a delivery with the event's data",
  params: deliveryParams,
  success: { status: 200, description: 'The delivery', body: DeliveryWithData },
  errors: [],
});

export const replayDelivery = endpoint({
  ...webhooks,
  operationId: 'replayWebhookDelivery',
  method: 'POST',
  path: '/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/replay',
  summary: 'Send an event again, under the same webhook-id',
  params: deliveryParams,
  success: sent,
  errors: ['conflict'],
});
