/** Whether a text is a key of Standard Webhooks. */
export function isWebhookSecret(text: string): boolean {
  const encoded = text.slice('whsec_'.length);
  const bytes = Buffer.from(encoded, 'base64');
  return text.startsWith('whsec_') && bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64;
}

export const WEBHOOK_SECRET_REASON = 'must be whsec_ and 24 to 64 bytes in base64';
