import type { sendSignal } from '@simplewebauthn/browser';

export type Signal = Parameters<typeof sendSignal>[0];

const CAPABILITY = {
  unknownCredential: 'signalUnknownCredential',
  allAcceptedCredentials: 'signalAllAcceptedCredentials',
  currentUserDetails: 'signalCurrentUserDetails',
} as const;

/**
 * Reports the valid passkeys and the user's name to the device's authenticators (WebAuthn Signal API), where the browser supports it. The
 * call has no result, and a failure is ignored.
 */
export function signalAuthenticators(signals: readonly Signal[]): void {
  import('@simplewebauthn/browser')
    .then(async ({ getBrowserCapabilities, sendSignal }) => {
      const can = await getBrowserCapabilities();
      for (const signal of signals) {
        if (can[CAPABILITY[signal.signalName]] !== 'unsupported') await sendSignal(signal);
      }
    })
    .catch(() => undefined);
}
