import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Me } from '../../api/admin-records.js';
import { showSecret } from '../../ui/show-secret.js';
import { NewKey } from '../settings/new-key.js';
import { stepCalls, type Known } from './step-calls.js';
import { Step } from './step.js';
import type { Progress } from './use-progress.js';

export interface KeyStepProps {
  title: string;
  me: Me;
  progress: Progress;
  known: Known | undefined;
  isNext: boolean;
  /** Called with the secret of the created key. The server sends the secret only once. */
  onIssued: (key: string) => void;
}

export function KeyStep({ title, me, progress: { key, errors }, known, isNext, onIssued }: KeyStepProps) {
  const [isCreating, setCreating] = useState(false);
  // The secret is sent once: a user who no longer has the secret creates another key for the examples.
  const createButton = (
    <Button
      size={key === true ? 'compact-sm' : 'sm'}
      variant={isNext ? 'filled' : 'default'}
      onClick={() => setCreating(true)}
    >
      Create API key
    </Button>
  );
  return (
    <Step
      title={title}
      text={
        <>
          Authenticates your code to the platform, runtime and prompt APIs as you. You can manage keys in{' '}
          <Link to="/settings">Settings</Link>.
        </>
      }
      isDone={key}
      done={
        <Group gap="sm">
          <Link to="/settings">View keys</Link>
          {createButton}
        </Group>
      }
      error={errors.key}
      isNext={isNext}
      code={known && stepCalls.key(known)}
      stays={
        <NewKey
          kind="api_key"
          me={me}
          opened={isCreating}
          close={() => setCreating(false)}
          onIssued={(issued) => {
            onIssued(issued.key);
            showSecret({
              title: 'Your new API key',
              secret: issued.key,
              copy: 'Copy key',
              text: 'Store it where your program reads it. Until you leave this page, its examples use the key.',
            });
          }}
        />
      }
    >
      <div>{createButton}</div>
    </Step>
  );
}
