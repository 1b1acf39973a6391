import { showSecret } from '../../ui/show-secret.js';

/** Shows the secret of a webhook once. */
export const showWebhookSecret = (secret: string, text: string): void =>
  showSecret({ title: 'Secret of the webhook', secret, copy: 'Copy secret', text });
