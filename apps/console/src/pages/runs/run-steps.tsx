import { Badge, Button, Text } from '@mantine/core';
import { IconBrain, IconTool } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { Approval, RunStep, RunStepDetail } from '../../api/runtime-records.js';
import { CodeBlock } from '../../ui/code-block.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { Failure } from '../../ui/failure.js';
import { costText } from '../../ui/figures.js';
import { indentedJson } from '../../ui/indented-json.js';
import { exactTime } from '../../ui/time.js';
import { TextShape } from '../../ui/loading.js';
import { approvalsOfSteps, decisionText, reasonText } from '../approvals/approval-text.js';
import { ruleText } from '../tool-rules/rule-text.js';
import { DecideOutcome } from './run-control.js';
import { RunFault } from './run-fault.js';
import { barsOf, durationText, type Bar } from './run-text.js';
import classes from './run.module.css';

const OUTCOMES = {
  started: { label: 'Under way', color: 'blue' },
  succeeded: undefined,
  failed: { label: 'Failed', color: 'red' },
  unknown: { label: 'Outcome unknown', color: 'yellow' },
} as const;

export interface RunStepsProps {
  runId: string;
  steps: readonly RunStep[];
  /** The approvals of the run. Each approval is shown at the step of its tool call. */
  approvals: readonly Approval[];
  /** Whether the run is executing, so that the bars of unfinished steps grow. */
  isActive: boolean;
}

/** The steps on an axis of time, each with its details on demand. */
export function RunSteps({ runId, steps, approvals, isActive }: RunStepsProps) {
  const decided = approvalsOfSteps(steps, approvals);
  // When the run is not executing, the bar of an unfinished step ends at the latest known time.
  const now = isActive ? Date.now() : Math.max(...steps.map((step) => Date.parse(step.ended_at ?? step.started_at)));
  const bars = barsOf(steps, now);
  return (
    <ol className={classes.steps}>
      {steps.map((step, index) => (
        <Step
          key={step.seq}
          runId={runId}
          step={step}
          approval={decided.get(step.seq)}
          bar={bars[index] ?? { left: 0, width: 0 }}
          now={now}
          isActive={isActive}
          isUndecided={step.awaits_outcome}
        />
      ))}
    </ol>
  );
}

interface StepProps {
  runId: string;
  step: RunStep;
  /** The approval of a tool call that needed a decision. */
  approval: Approval | undefined;
  bar: Bar;
  /** Time in milliseconds up to which an unfinished step is drawn. */
  now: number;
  /** Whether a process executes the run. */
  isActive: boolean;
  /** Whether a person has to decide the step's outcome. If so, the details of the step are open. */
  isUndecided: boolean;
}

function Step({ runId, step, approval, bar, now, isActive, isUndecided }: StepProps) {
  const [isOpen, setOpen] = useState(isUndecided);
  const { seq, kind, outcome } = step;
  const hasEnd = step.ended_at !== null || isActive;
  const end = step.ended_at === null ? now : Date.parse(step.ended_at);
  const badge = OUTCOMES[outcome];
  const Icon = kind === 'model' ? IconBrain : IconTool;
  return (
    <li className={classes.step}>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span className={classes.number}>{seq}</span>
          <span className={classes.name}>
            <Icon size={15} stroke={1.7} aria-hidden />
            <bdi>{kind === 'model' ? step.model : step.tool}</bdi>
            {badge && (
              <Badge color={badge.color} flex="none">
                {badge.label}
              </Badge>
            )}
          </span>
          <span className={classes.track} aria-hidden>
            <span
              className={classes.bar}
              data-kind={kind}
              data-outcome={outcome}
              style={{ left: `min(${bar.left}%, 100% - 3px)`, width: `${bar.width}%` }}
            />
          </span>
          <span className={classes.duration}>{hasEnd ? durationText(end - Date.parse(step.started_at)) : '—'}</span>
        </summary>
        {isOpen && (
          <div className={classes.body}>
            <Facts facts={factsOf(step, approval)} />
            {step.error && <RunFault error={step.error} of={kind} />}
            {kind === 'model' ? <ModelStep runId={runId} step={step} /> : <ToolStep step={step} approval={approval} />}
            {isUndecided && <DecideOutcome runId={runId} step={seq} />}
          </div>
        )}
      </details>
    </li>
  );
}

function factsOf(step: RunStep, approval: Approval | undefined): Fact[] {
  const { kind, attempt, started_at, first_token_at, prompt_tokens, completion_tokens, cost_usd } = step;
  const facts: Fact[] = [
    ['Started', exactTime(started_at)],
    ['Attempt', attempt],
  ];
  if (kind === 'tool') return [...facts, ...toolFacts(step, approval)];
  if (first_token_at !== null)
    facts.push(['First token after', durationText(Date.parse(first_token_at) - Date.parse(started_at))]);
  if (prompt_tokens !== null || completion_tokens !== null) {
    const [sent, answered] = [prompt_tokens ?? 0, completion_tokens ?? 0];
    facts.push(['Tokens', `${sent.toLocaleString('en')} in, ${answered.toLocaleString('en')} out`]);
    facts.push(['Cost', costText(cost_usd, sent + answered)]);
  }
  return facts;
}

function toolFacts({ server, child_id, rule, error }: RunStep, approval: Approval | undefined): Fact[] {
  const name = approval?.server.name ?? server;
  const facts: Fact[] = name === null ? [] : [['Server', <bdi key="server">{name}</bdi>]];
  if (child_id !== null) facts.push(['Run', <Link key="run" to={`/runs/${child_id}`}>{`Open the agent's run`}</Link>]);
  if (!approval && rule !== null) facts.push(['Rule', ruleText(rule)]);
  // A rule of the tool or a limit refused the call, so no person decided about it.
  if (!approval && error?.code === 'forbidden') return facts;
  if (!approval) return [...facts, ['Decision', 'Not needed']];
  const { decided_at, reason } = approval;
  facts.push(['Rule', reasonText(approval)]);
  facts.push(['Decision', <bdi key="decision">{decisionText(approval)}</bdi>]);
  if (decided_at !== null) facts.push(['Decided', exactTime(decided_at)]);
  if (reason !== null) facts.push(['Reason', <bdi key="reason">{reason}</bdi>]);
  return facts;
}

function ModelStep({ runId, step: { seq, answer, calls } }: { runId: string; step: RunStep }) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      {answer !== null && answer !== '' && <CodeBlock label="answer" code={answer} />}
      {calls?.map(({ id, name, arguments: args }) => (
        <CodeBlock key={id} label={`call of ${name}`} title={`Tool call: ${name}`} code={indentedJson(args)} />
      ))}
      {isShown ? (
        <SentMessages runId={runId} seq={seq} />
      ) : (
        <Button variant="default" size="xs" w="fit-content" onClick={() => setShown(true)}>
          Show the messages sent
        </Button>
      )}
    </>
  );
}

function SentMessages({ runId, seq }: { runId: string; seq: number }) {
  const step = useQuery(areaResource<RunStepDetail>('runtime', `/api/v1/runs/${runId}/steps/${seq}`));
  if (step.error) return <Failure error={step.error} retry={() => void step.refetch()} />;
  if (!step.data) return <TextShape lines={4} />;
  const { messages, added, parameters } = step.data;
  const others = [
    ['Messages besides the conversation', added],
    ['Parameters', parameters],
  ] as const;
  return (
    <>
      {messages.length === 0 && (added ?? null) === null && (
        <Text size="sm" c="dimmed">
          The messages of this call were not kept.
        </Text>
      )}
      {messages.map(({ role, content, calls }, index) => (
        <CodeBlock
          key={index}
          label={`message ${index + 1}`}
          title={role}
          code={content === '' && calls ? JSON.stringify(calls, null, 2) : content}
        />
      ))}
      {others.map(
        ([title, value]) =>
          (value ?? null) !== null && (
            <CodeBlock key={title} label={title} title={title} code={JSON.stringify(value, null, 2)} />
          ),
      )}
    </>
  );
}

function ToolStep({ step, approval }: Pick<StepProps, 'step' | 'approval'>) {
  const { arguments: args, result, outcome, untrusted } = step;
  const isEdited = approval?.edited_arguments != null;
  return (
    <>
      {outcome === 'unknown' && (
        <Text size="sm">The process ended after the call was sent: it is not known whether it had its effect.</Text>
      )}
      {isEdited && (
        <CodeBlock
          label="arguments of the model"
          title="Arguments of the model, not sent"
          code={indentedJson(approval.arguments)}
        />
      )}
      {args !== null && (
        <CodeBlock
          label="arguments"
          title={isEdited ? `Arguments changed by ${approval.decided_by?.name ?? 'the decider'}` : 'Arguments'}
          code={indentedJson(args)}
        />
      )}
      {result !== null && (
        <CodeBlock label="result" title={untrusted === true ? 'Result (untrusted)' : 'Result'} code={result} />
      )}
    </>
  );
}
