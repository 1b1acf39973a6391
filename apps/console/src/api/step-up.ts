import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser';
import { ApiError, type Send } from './client.js';

/** One passkey proof at a time: calls that need one meanwhile wait for the same. */
export function createStepUp(send: () => Send): () => Promise<void> {
  let running: Promise<void> | undefined;
  async function prove(): Promise<void> {
    const { startAuthentication } = await import('@simplewebauthn/browser');
    const optionsJSON = await send()<PublicKeyCredentialRequestOptionsJSON>('POST', '/step-up/start');
    const response = await startAuthentication({ optionsJSON }).catch(() => {
      throw new ApiError(0, 'not_proved', 'This needs your passkey, and none was used. Nothing was changed.');
    });
    await send()('POST', '/step-up/finish', { response });
  }
  return () => (running ??= prove().finally(() => (running = undefined)));
}
