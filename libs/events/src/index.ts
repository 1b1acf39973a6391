export { EVENT_TYPES, TEST_EVENT, type EventType } from './event-types.js';
export { createWebhook, type PostWebhook, type WebhookOptions } from './post-webhook.js';
export { hasReceivers, MOST_PENDING, recordEvent, recordTestEvent, type NewEvent } from './record-event.js';
export { sendEventsRepeatedly, type SenderOptions } from './send-events.js';
export { openSecret, sealSecret } from './webhook-secrets.js';
