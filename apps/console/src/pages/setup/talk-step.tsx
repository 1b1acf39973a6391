import { Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Conversation } from '../talk/conversation.js';
import { FIRST_MESSAGE, stepCalls, type Known } from './step-calls.js';
import { Step } from './step.js';
import classes from './step.module.css';
import type { Progress } from './use-progress.js';

export function TalkStep({
  progress,
  known,
  isNext,
}: {
  progress: Progress;
  known: Known | undefined;
  isNext: boolean;
}) {
  const { agent, conversation, errors } = progress;
  // What began here goes on being shown, once it is kept.
  const [begun, setBegun] = useState<string>();
  const isTalkedHere = begun !== undefined || conversation === null;
  return (
    <Step
      title="4. Talk to it"
      text={`Ask it something, such as “${FIRST_MESSAGE}” A program needs an OAuth client of Settings for this: its first call gets the token of the second.`}
      isDone={conversation === undefined ? undefined : conversation !== null}
      error={errors.conversation ?? errors.agent}
      isNext={isNext}
      code={known && stepCalls.talk(known)}
    >
      {conversation && agent && (
        <Text component="div" mb={begun === undefined ? 0 : 'md'}>
          <Link to={`/talk/${agent.slug}/${conversation.id}`}>The conversation</Link> is kept.
        </Text>
      )}
      {agent === null && <Text size="sm">The agent comes first.</Text>}
      {agent && isTalkedHere && (
        <div className={classes.talk}>
          <Conversation
            agent={agent.slug}
            isStopped={agent.status === 'inactive'}
            contextId={begun}
            onStarted={setBegun}
          />
        </div>
      )}
    </Step>
  );
}
