import { Link } from 'react-router';
import { Step } from './step.js';
import type { Progress } from './use-progress.js';

export function PasskeyStep({ progress: { passkey, errors } }: { progress: Progress }) {
  return (
    <Step title="1. Have a passkey" text="It signs you in, without a password." isDone={passkey} error={errors.passkey}>
      {passkey === true ? (
        <>
          You have one. A second one on another device keeps you from being locked out:{' '}
          <Link to="/profile">see your passkeys.</Link>
        </>
      ) : (
        <>
          Add one in your <Link to="/profile">profile</Link>, and come back.
        </>
      )}
    </Step>
  );
}
