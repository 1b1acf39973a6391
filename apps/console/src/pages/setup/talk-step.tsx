import { Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { Conversation } from '../talk/conversation.js';
import { FIRST_MESSAGE, stepCalls, type Known } from './step-calls.js';
import { Step } from './step.js';
import classes from './step.module.css';
import type { Progress } from './use-progress.js';

export interface TalkStepProps {
  progress: Progress;
  known: Known | undefined;
  isNext: boolean;
}

export function TalkStep({ progress: { agent, conversation, errors }, known, isNext }: TalkStepProps) {
  // Id of the conversation that started here. This conversation stays visible after the step is done.
  const [begun, setBegun] = useState<string>();
  const isTalkedHere = begun !== undefined || conversation === null;
  return (
    <Step
      title="4. Chat with the agent"
      text={<>Ask it something, such as “{FIRST_MESSAGE}” From code, send the call below with an API key.</>}
      isDone={conversation === undefined ? undefined : conversation !== null}
      done={conversation && agent && <Link to={`/talk/${agent.slug}/${conversation.id}`}>View conversation</Link>}
      error={errors.conversation ?? errors.agent}
      isNext={isNext}
      code={known && stepCalls.talk(known)}
      stays={
        agent &&
        isTalkedHere && (
          <div className={classes.talk}>
            <Conversation
              agent={agent.slug}
              isStopped={agent.status === 'inactive'}
              contextId={begun}
              onStarted={setBegun}
            />
          </div>
        )
      }
    >
      {agent === null && <Text size="sm">Create the agent first.</Text>}
    </Step>
  );
}
