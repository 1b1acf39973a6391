import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { areaResource } from '../../api/areas.js';
import type { AgentFields, Version } from '../../api/platform-records.js';
import { fieldFaults } from '../../ui/field-faults.js';
import { costText } from '../../ui/figures.js';
import { parameterFaults } from '../../ui/parameter-values.js';
import { RunError } from '../../ui/run-error.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { RunFault } from '../runs/run-fault.js';
import { durationText, hasEnded } from '../runs/run-text.js';
import { TurnView } from '../talk/turn-view.js';
import { CandidateInputs } from '../workbench/candidate-inputs.js';
import { BenchButtons } from '../workbench/bench-buttons.js';
import { DRAFT, type Candidate } from '../workbench/candidate.js';
import classes from '../workbench/workbench.module.css';
import type { SavedAgent } from './agent-values.js';
import { draftBody } from './draft-body.js';
import { DraftChanges } from './draft-changes.js';
import { useDraftChat, type DraftChat, type DraftTurn } from './use-draft-chat.js';

const OFF = { title: 'The runtime is not available.', text: 'It is off or starting. Try again shortly.' };

export interface AgentWorkbenchProps {
  /** The agent in the editor. */
  draft: AgentFields;
  /** Reason why the draft cannot be run. */
  fault: string | null;
  saved: SavedAgent | undefined;
}

/** A conversation with the unsaved agent, and beside it a conversation with another version, model or parameters. */
export function AgentWorkbench({ draft, fault, saved }: AgentWorkbenchProps) {
  const [message, setMessage] = useState('');
  const [first, setFirst] = useState<Candidate>(DRAFT);
  const [second, setSecond] = useState<Candidate | null>(null);
  const [left, right] = [useDraftChat(), useDraftChat()];
  const versions = [useVersion(saved, first), useVersion(saved, second ?? DRAFT)];
  const content = message.trim();
  const bodyOf = (candidate: Candidate, version: AgentFields | undefined, { contextId }: DraftChat) =>
    draftBody(candidate, draft, version, { content, agent: saved?.slug, contextId });
  const columns = [
    { name: 'First', candidate: first, set: setFirst, chat: left, body: bodyOf(first, versions[0], left) },
    ...(second
      ? [{ name: 'Second', candidate: second, set: setSecond, chat: right, body: bodyOf(second, versions[1], right) }]
      : []),
  ];
  const isWorking = columns.some(({ chat }) => chat.isWorking);
  const isReady =
    content !== '' &&
    fault === null &&
    columns.every(
      ({ candidate: { parameters }, body }) =>
        body !== undefined && (parameters === null || Object.keys(parameterFaults(parameters)).length === 0),
    );
  const send = () => {
    if (!isReady || isWorking) return;
    for (const { chat, body } of columns) if (body) chat.send(body, content);
    setMessage('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  return (
    <>
      <Section
        title="Try this draft"
        text="A conversation with what is in the editor, saved or not. Rules, approvals and budgets apply as to a saved agent."
      >
        <Stack gap="md" onKeyDown={onKeyDown}>
          <div className={classes.bench}>
            {columns.map(({ name, candidate, set, chat }) => (
              <Stack key={name} gap="sm" role="group" aria-label={name}>
                <CandidateInputs
                  candidate={candidate}
                  onChange={set}
                  newest={saved?.version ?? 0}
                  modelFault={faultsOf(chat)['model']}
                />
                <div
                  className={classes.conversation}
                  role="log"
                  aria-label={`Conversation, ${name}`}
                  aria-busy={chat.isWorking}
                >
                  {chat.turns.map((turn, at) => (
                    <Exchange key={at} turn={turn} name={draft.name || 'Draft'} />
                  ))}
                </div>
              </Stack>
            ))}
          </div>
          <TextArea
            label="Message"
            description="Ctrl+Enter sends it."
            minRows={2}
            maxRows={12}
            maxLength={200_000}
            value={message}
            onChange={(event) => setMessage(event.currentTarget.value)}
          />
          {fault !== null && (
            <Text size="sm" c="dimmed">
              {fault}
            </Text>
          )}
          <BenchButtons
            label="Send to draft"
            chats={columns.map(({ chat }) => chat)}
            isReady={isReady}
            isWorking={isWorking}
            isComparing={second !== null}
            onRun={send}
            onCompare={() => {
              right.clear();
              setSecond(second ? null : first);
            }}
          />
        </Stack>
      </Section>
      {saved && <DraftChanges draft={draft} saved={saved} />}
    </>
  );
}

const faultsOf = ({ turns }: DraftChat) => fieldFaults(turns.at(-1)?.error);

function Exchange({ turn: { content, steps, run, error }, name }: { turn: DraftTurn; name: string }) {
  const faults = Object.entries(fieldFaults(error));
  const isWorking = !error && !(run && hasEnded(run)) && run?.state !== 'waiting';
  return (
    <>
      <TurnView turn={{ id: 'asked', role: 'user', steps: [{ text: content, tools: [] }] }} agent={name} />
      <TurnView
        turn={{ id: 'answer', role: 'assistant', steps, ...(run && { run }) }}
        agent={name}
        isWorking={isWorking}
      />
      {faults.length > 0 && (
        <Alert color="red" py="xs" role="alert">
          Not run. {faults.map(([field, reason]) => `${field}: ${reason}`).join(' ')}
        </Alert>
      )}
      {error && faults.length === 0 && <RunError error={error} off={OFF} />}
      {run?.error && <RunFault error={run.error} />}
      {run && hasEnded(run) && <Figures run={run} />}
    </>
  );
}

function Figures({ run }: { run: NonNullable<DraftTurn['run']> }): ReactNode {
  const { model, prompt_tokens, completion_tokens, cost_usd, queued_at, ended_at, tool_calls } = run;
  const figures = [
    model,
    `${prompt_tokens.toLocaleString('en')} + ${completion_tokens.toLocaleString('en')} tokens`,
    costText(cost_usd, prompt_tokens + completion_tokens),
    ended_at && durationText(Date.parse(ended_at) - Date.parse(queued_at)),
    tool_calls > 0 && `${tool_calls} tool ${tool_calls === 1 ? 'call' : 'calls'}`,
  ];
  return (
    <Text size="xs" c="dimmed">
      {figures.filter(Boolean).join(' · ')}
    </Text>
  );
}

function useVersion(saved: SavedAgent | undefined, { version }: Candidate): AgentFields | undefined {
  const { data } = useQuery({
    ...areaResource<Version<AgentFields>>('platform', `${saved?.path ?? ''}/versions/${version ?? 0}`),
    enabled: saved !== undefined && version !== null,
  });
  return data?.state;
}
