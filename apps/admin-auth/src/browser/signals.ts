import { getBrowserCapabilities, sendSignal } from '@simplewebauthn/browser';

export type Signal = Parameters<typeof sendSignal>[0];

const CAPABILITY = {
  unknownCredential: 'signalUnknownCredential',
  allAcceptedCredentials: 'signalAllAcceptedCredentials',
  currentUserDetails: 'signalCurrentUserDetails',
} as const;

/** Tells the browser's authenticators, where it can. Nothing waits for it, and nobody learns whether it arrived. */
export function signal(told: Signal): void {
  getBrowserCapabilities()
    .then((can) => (can[CAPABILITY[told.signalName]] === 'unsupported' ? undefined : sendSignal(told)))
    .catch(() => undefined);
}
