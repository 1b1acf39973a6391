import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Me } from '../../api/records.js';
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
  /** The key itself, as it is told this once. */
  onIssued: (key: string) => void;
}

export function KeyStep({ title, me, progress: { key, errors }, known, isNext, onIssued }: KeyStepProps) {
  const [isCreating, setCreating] = useState(false);
  return (
    <Step
      title={title}
      text="It opens the platform and prompt APIs to a program, in your name."
      isDone={key}
      error={errors.key}
      isNext={isNext}
      code={known && stepCalls.key(known)}
    >
      {key === true && (
        <Text component="div" mb="sm">
          You have one. {known?.key !== undefined && 'Until you leave this page, the calls here carry it. '}
          <Link to="/settings">See your keys.</Link>
        </Text>
      )}
      {key !== undefined && (
        <Button variant={key ? 'default' : 'filled'} onClick={() => setCreating(true)}>
          Create API key
        </Button>
      )}
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
            copy: 'Copy',
            text: 'Put it where your program finds it. The calls on this page carry it until you leave it.',
          });
        }}
      />
    </Step>
  );
}
