import { Button, Stack, TextInput } from '@mantine/core';
import { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill } from '@simplewebauthn/browser';
import type { PageData } from '@millwright/pages';
import { useEffect, useRef, useState, type SubmitEvent } from 'react';
import { WaysIn } from './links.js';
import { beginProof, finishProof, isAborted, wordsFor } from './passkey-proof.js';
import { againFor, keptTarget, takeRequest, withTarget } from './sign-in-flow.js';
import { FailureText, Processing } from './states.js';

/** Milliseconds after which an idle page fetches a new challenge; a challenge expires after five minutes. */
const RENEW_MS = 240_000;

/** Sign-in with a passkey: the email field suggests passkeys of this device, and the button accepts any passkey. */
export function Authorize({ issuers }: PageData['authorize']) {
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<string>();
  const isOffered = useRef(false);

  const fail = (error: unknown) => {
    setWorking(false);
    setFailure(wordsFor(error));
  };

  async function offerAutofill(): Promise<void> {
    if (!(await browserSupportsWebAuthnAutofill())) return;
    const renewal = setTimeout(() => void offerAutofill(), RENEW_MS);
    try {
      const onProof = () => setWorking(true);
      window.location.replace(await finishProof(await beginProof(), { useBrowserAutofill: true, onProof }));
    } catch (error) {
      clearTimeout(renewal);
      if (!isAborted(error)) fail(error);
    }
  }

  useEffect(() => {
    if (isOffered.current) return;
    isOffered.current = true;
    takeRequest();
    if (browserSupportsWebAuthn()) void offerAutofill();
    else setFailure('This browser cannot use passkeys.');
  });

  function signIn(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    setFailure(undefined);
    setWorking(true);
    const email = new FormData(event.currentTarget).get('email');
    beginProof(typeof email === 'string' && email.trim() !== '' ? email.trim() : undefined)
      .then((started) => finishProof(started))
      .then((next) => window.location.replace(next))
      .catch(fail);
  }

  return (
    <form onSubmit={signIn}>
      <Stack gap="md" mb="md">
        <TextInput
          label="Email"
          description="Leave empty to choose a passkey on this device."
          name="email"
          type="email"
          autoComplete="username webauthn"
          maxLength={254}
          autoFocus
        />
        <Button type="submit" disabled={isWorking}>
          Sign in with passkey
        </Button>
        {issuers.map(({ label, href }) => (
          <Button key={href} component="a" href={withTarget(href, keptTarget())} variant="default">
            Sign in with {label}
          </Button>
        ))}
      </Stack>
      <Processing isOn={isWorking} />
      <FailureText>
        {failure !== undefined && (
          <>
            {failure} <a href={againFor(keptTarget())}>Try again</a>
          </>
        )}
      </FailureText>
      <WaysIn />
    </form>
  );
}
