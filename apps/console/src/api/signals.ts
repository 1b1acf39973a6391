import type { sendSignal } from '@simplewebauthn/browser';

export type Signal = Parameters<typeof sendSignal>[0];

const CAPABILITY = {
  unknownCredential: 'signalUnknownCredential',
  allAcceptedCredentials: 'signalAllAcceptedCredentials',
  currentUserDetails: 'signalCurrentUserDetails',
} as const;

/**
 * Tells the browser's authenticators which passkeys are good and what their owner is called (WebAuthn Signal API), where it can.
 * Nothing waits for it, and nobody learns whether it arrived.
 */
export function tell(signals: readonly Signal[]): void {
  import('@simplewebauthn/browser')
    .then(async ({ getBrowserCapabilities, sendSignal }) => {
      const can = await getBrowserCapabilities();
      for (const signal of signals) {
        if (can[CAPABILITY[signal.signalName]] !== 'unsupported') await sendSignal(signal);
      }
    })
    .catch(() => undefined);
}
