import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { Link } from 'react-router';
import type { Skill } from '../../api/platform-records.js';
import { Failure } from '../../ui/failure.js';
import { TextArea } from '../../ui/text-area.js';
import { conversationResource } from '../talk/conversation-resource.js';
import classes from '../talk/talk.module.css';
import { TurnView } from '../talk/turn-view.js';
import { turnsOf, type Turn } from '../talk/turns.js';
import { useChat, type Running } from '../talk/use-chat.js';
import { ParameterInput } from './parameter-input.js';
import { messageWith, presetsOf, valueFault } from './try-message.js';

export interface SkillTrialProps {
  /** The agent's slug. */
  agent: string;
  /** The agent's display name. */
  name: string;
  parameters: Skill['parameters'];
}

/** A message with parameters, and the streamed answer. Each message starts a new conversation. */
export function SkillTrial({ agent, name: agentName, parameters }: SkillTrialProps) {
  const [values, setValues] = useState(() => presetsOf(parameters));
  const [text, setText] = useState('');
  const [begun, setBegun] = useState<string>();
  const { running, send, stop } = useChat({ agent, contextId: undefined, onStarted: setBegun });
  const kept = useQuery({ ...conversationResource(begun ?? ''), enabled: begun !== undefined });
  const isWorking = running?.state === 'working';
  const isReady =
    text.trim() !== '' && fields(parameters).every(([name, one]) => valueFault(one, values[name] ?? '') === null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!isReady || isWorking) return;
    setBegun(undefined);
    send({ content: messageWith(text, values), images: [] });
  };
  const turns = running ? turnsOfRunning(running) : kept.data ? turnsOf(kept.data.messages, kept.data.id) : [];
  return (
    <>
      <form onSubmit={submit}>
        <Stack gap="md">
          {fields(parameters).map(([name, parameter]) => (
            <ParameterInput
              key={name}
              name={name}
              parameter={parameter}
              value={values[name] ?? ''}
              onChange={(value) => setValues((now) => ({ ...now, [name]: value }))}
            />
          ))}
          <TextArea
            label="Message"
            minRows={2}
            maxLength={100_000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group>
            <Button type="submit" loading={isWorking} disabled={!isReady}>
              Send
            </Button>
            {isWorking && (
              <Button variant="default" onClick={stop}>
                Stop
              </Button>
            )}
            {begun !== undefined && !isWorking && <Link to={`/talk/${agent}/${begun}`}>Continue the conversation</Link>}
          </Group>
        </Stack>
      </form>
      <div
        role="log"
        aria-label="Answer"
        aria-busy={isWorking || kept.isLoading}
        className={classes.log}
        style={{ marginTop: turns.length > 0 || running?.error || kept.error ? 18 : 0 }}
      >
        {turns.map((turn) => (
          <TurnView key={turn.id} turn={turn} agent={agentName} isWorking={isWorking && turn.id === 'answer'} />
        ))}
        {running?.error && <Failure error={running.error} />}
        {kept.error && !running && <Failure error={kept.error} retry={() => void kept.refetch()} />}
      </div>
    </>
  );
}

const fields = (parameters: Skill['parameters']) => Object.entries(parameters);

function turnsOfRunning({ content, steps }: Running): Turn[] {
  return [
    { id: 'asked', role: 'user', steps: [{ text: content, tools: [] }] },
    { id: 'answer', role: 'assistant', steps },
  ];
}
