import { Button } from '@mantine/core';
import type { SetupData } from '@millwright/pages';
import { startRegistration, type PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { useEffect, useRef } from 'react';
import { ApiError } from '../api/client.js';
import { signalAuthenticators, type Signal } from '../api/passkey-signals.js';
import { post } from './post.js';
import { FailureText, Processing } from './states.js';
import { leaveFor, useWork } from './use-work.js';

interface Started {
  ceremony: string;
  options: PublicKeyCredentialCreationOptionsJSON;
}

/** Creates the passkey as soon as the page opens. */
export function VerifyPending({ token, email }: SetupData) {
  const { isRunning, failure, run } = useWork();
  const isStarted = useRef(false);
  const start = () => void run(() => enrol(token));
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    start();
  });
  return (
    <>
      <p>
        For{' '}
        <strong>
          <bdi>{email}</bdi>
        </strong>
        . Follow your browser&apos;s instructions.
      </p>
      <Processing isOn={isRunning} />
      <FailureText>{failure !== undefined && `The passkey was not created. ${failure}`}</FailureText>
      {failure !== undefined && <Button onClick={start}>Try again</Button>}
    </>
  );
}

/** Passkey registration (WebAuthn §7.1) with a setup token. */
async function enrol(setup_token: string): Promise<void> {
  const { ceremony, options } = await post<Started>('/admin/api/passkey/register/start', { setup_token });
  const response = await startRegistration({ optionsJSON: options }).catch((error: unknown) => {
    const isKnown = error instanceof Error && error.name === 'InvalidStateError';
    const text = isKnown ? 'This device already keeps one for the account.' : 'Your browser gave none.';
    throw new ApiError(0, 'not_enrolled', text);
  });
  const name = new URLSearchParams(window.location.search).get('name') ?? 'Passkey';
  const answer = { ceremony, name, response };
  const { signals } = await post<{ signals: Signal[] }>('/admin/api/passkey/register/finish', answer);
  signalAuthenticators(signals);
  await leaveFor('/admin/login');
}
