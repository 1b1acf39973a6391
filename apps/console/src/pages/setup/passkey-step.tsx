import { Text } from '@mantine/core';
import { Link } from 'react-router';
import { Step } from './step.js';
import type { Progress } from './use-progress.js';

export function PasskeyStep({ progress: { passkey, errors } }: { progress: Progress }) {
  return (
    <Step
      title="Create a passkey"
      text="It signs you in without a password."
      isDone={passkey}
      done={<Link to="/profile">View passkeys</Link>}
      error={errors.passkey}
    >
      <Text size="sm">
        Add one in your <Link to="/profile">profile</Link>, then come back.
      </Text>
    </Step>
  );
}
