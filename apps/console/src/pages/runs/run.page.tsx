import { Alert, Box, Button, Group, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { resource, withQuery } from '../../api/api.js';
import { areaResource, askArea } from '../../api/areas.js';
import type { Me } from '../../api/admin-records.js';
import { currentProject } from '../../api/project.js';
import type { RunDetail, RunStepPage } from '../../api/runtime-records.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { BackLink } from '../../ui/back-link.js';
import { CodeBlock } from '../../ui/code-block.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts, type Fact } from '../../ui/facts.js';
import { Failure } from '../../ui/failure.js';
import { costText, countText, sizeText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { exactTime } from '../../ui/time.js';
import { SectionsShape, TextShape } from '../../ui/loading.js';
import { runApprovals } from '../../api/approvals.js';
import { RunApprovals } from '../approvals/run-approvals.js';
import { ConnectAccount } from './connect-account.js';
import { CancelRun, RetryRun } from './run-control.js';
import { RunFault } from './run-fault.js';
import { Feedback } from './run-feedback.js';
import { RunState } from './run-state.js';
import { RunSteps } from './run-steps.js';
import { actorsText, CHANNELS, durationOf, durationText, hasEnded, mayRetry, positionText, WAITS } from './run-text.js';
import classes from './run.module.css';

const REFRESH_MS = 2_000;
const STEPS_A_PAGE = 100;

function RunPage() {
  const { id = '' } = useParams();
  const run = useQuery({
    ...areaResource<RunDetail>('runtime', `/api/v1/runs/${encodeURIComponent(id)}`),
    refetchInterval: ({ state: { data } }) => (data && hasEnded(data) ? false : REFRESH_MS),
  });
  return (
    <>
      <BackLink to="/runs">Runs</BackLink>
      {run.data ? <Detail run={run.data} /> : <PageHeader title="Run" />}
      {run.error && !run.data && <Failure error={run.error} retry={() => void run.refetch()} />}
      {run.isPending && <SectionsShape />}
    </>
  );
}

function Detail({ run }: { run: RunDetail }) {
  const me = useQuery(resource<Me>('/me'));
  const { subject, title, state, waiting_for, error, input, output, data } = run;
  const isAdmin = me.data?.is_admin === true;
  return (
    <>
      <PageHeader
        title={subject.name}
        {...(title !== null && { text: <bdi>{title}</bdi> })}
        badges={<RunState state={state} />}
        actions={
          <>
            {isAdmin && <AuditLogLink filters={{ run: run.id }} />}
            {!hasEnded(run) && <CancelRun runId={run.id} />}
            {mayRetry(run) && <RetryRun run={run} />}
            {run.is_own && <Feedback run={run} />}
          </>
        }
      />
      {waiting_for !== null && (
        <Alert color="yellow" mb="md" title={WAITS[waiting_for].title}>
          {WAITS[waiting_for].text}
          {run.budget && (
            <>
              {' '}
              {isAdmin ? <Link to={`/budgets/${run.budget.id}`}>{run.budget.name}</Link> : <bdi>{run.budget.name}</bdi>}
            </>
          )}
          {run.connection && (
            <Group mt="xs">
              <ConnectAccount run={run} />
            </Group>
          )}
        </Alert>
      )}
      {error && (
        <Group mb="md" display="block">
          <RunFault error={error} />
        </Group>
      )}
      {waiting_for === 'approval' && (
        <Section title="Calls to decide">
          <RunApprovals run={run} />
        </Section>
      )}
      <Section title="Summary">
        <Facts facts={factsOf(run, isAdmin)} />
      </Section>
      {run.content_removed_at !== null && (
        <Alert color="gray" mt="md">
          The texts of the steps were removed on {exactTime(run.content_removed_at)}, as the retention of this project
          requires.
        </Alert>
      )}
      <Steps run={run} />
      <Section title="Input and answer">
        <div className={classes.long}>
          {input !== null && <CodeBlock label="input" code={input} />}
          {input === null && (data ?? null) !== null && (
            <CodeBlock label="input" code={JSON.stringify(data, null, 2)} />
          )}
          {output === null ? (
            <Text size="sm" c="dimmed" mt="sm">
              {hasEnded(run) ? 'There is no answer.' : 'There is no answer yet.'}
            </Text>
          ) : (
            <Group mt="sm" display="block">
              <CodeBlock label="answer" code={output} />
            </Group>
          )}
        </div>
      </Section>
    </>
  );
}

const FEEDBACK = { up: 'Good answer', down: 'Bad answer' } as const;
const SUBJECTS = { agent: 'Agent', prompt: 'Prompt', model: 'Model by name' } as const;

function factsOf(run: RunDetail, isAdmin: boolean): Fact[] {
  const { subject, user, channel, prompt_tokens, completion_tokens, cost_usd, attempt, trace_id } = run;
  const page = subjectPage(subject);
  const name = `${subject.name}${subject.version === null ? '' : ` @ version ${subject.version}`}`;
  const duration = durationOf(run, Date.now());
  const facts: Fact[] = [
    [SUBJECTS[subject.kind], page !== undefined && isAdmin ? <Link to={page}>{name}</Link> : name],
    ['User', isAdmin ? <Link to={`/access/users/${user.id}`}>{user.name}</Link> : user.name],
    ['Channel', CHANNELS[channel]],
    ['Started', exactTime(run.queued_at)],
    ['Duration', duration === undefined ? 'Not begun' : durationText(duration)],
    ['Model', run.model ?? '—'],
    ['Tokens', `${prompt_tokens.toLocaleString('en')} in, ${completion_tokens.toLocaleString('en')} out`],
    ['Cost', costText(cost_usd, prompt_tokens + completion_tokens)],
  ];
  if (run.images.length > 0) facts.push(['Images', <ImageNames key="images" images={run.images} />]);
  if (run.queue_position !== null) facts.push(['Position', positionText(run.queue_position)]);
  if (!run.is_own && run.feedback !== null)
    facts.push(['Feedback', [FEEDBACK[run.feedback], run.feedback_comment].filter(Boolean).join(': ')]);
  if (attempt > 1) facts.push(['Attempts', `${attempt}: another process continued it`]);
  if (run.is_own && isAdmin && run.context_id !== null && subject.kind === 'agent') {
    const chat = `/talk/${encodeURIComponent(subject.name)}/${run.context_id}`;
    facts.push(['Conversation', <Link key="chat" to={chat}>{`Open the conversation`}</Link>]);
  }
  if (run.conversation !== null && isAdmin) {
    const to = `/conversations/${run.conversation.id}`;
    facts.push(['Conversation', <Link key="conversation" to={to}>{`Open the conversation`}</Link>]);
  }
  if (run.parent_id !== null)
    facts.push(['Started by', <Link key="parent" to={`/runs/${run.parent_id}`}>{`Another agent's run`}</Link>]);
  if (run.actors.length > 0) facts.push(['Called by', <bdi key="actors">{actorsText(run.actors)}</bdi>]);
  if (trace_id !== null) facts.push(['Trace', <bdi key="trace">{trace_id}</bdi>]);
  return [...facts, ['ID', <bdi key="id">{run.id}</bdi>]];
}

/** Name, type and sizes of each image of the message. Only readers of the conversation can see the images themselves. */
function ImageNames({ images }: Pick<RunDetail, 'images'>) {
  return (
    <ul className={classes.images}>
      {images.map(({ id, name, content_type, size, width, height }) => (
        <li key={id}>
          <bdi>{name}</bdi> ({content_type}, {width} × {height} pixels, {sizeText(size)})
        </li>
      ))}
    </ul>
  );
}

/** The page of an agent or prompt; the built-in agent has no page. */
function subjectPage({ kind, id }: RunDetail['subject']): string | undefined {
  if (id === null) return undefined;
  return kind === 'agent' ? `/build/agents/${id}` : `/prompts/${id}`;
}

function Steps({ run }: { run: RunDetail }) {
  const path = `/api/v1/runs/${run.id}/steps`;
  const isActive = !hasEnded(run);
  const steps = useInfiniteQuery({
    queryKey: ['runtime', 'api', 'v1', 'runs', run.id, 'steps', currentProject()],
    queryFn: ({ pageParam, signal }) =>
      askArea<RunStepPage>('runtime', 'GET', withQuery(path, { limit: STEPS_A_PAGE, cursor: pageParam }), undefined, {
        signal,
      }),
    initialPageParam: '0',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: isActive ? REFRESH_MS : false,
  });
  const items = steps.data?.pages.flatMap((page) => page.items);
  const approvals = useQuery({ ...runApprovals(run.id, run.state_at), enabled: run.tool_calls > 0 });
  return (
    <Section title={countText(run.steps, 'step')} flush>
      {steps.error && !items && <Failure error={steps.error} retry={() => void steps.refetch()} />}
      {steps.isPending && (
        <Box px={18} pb={18}>
          <TextShape lines={5} />
        </Box>
      )}
      {items?.length === 0 && <EmptyState title="No steps yet" />}
      {items && items.length > 0 && (
        <RunSteps runId={run.id} steps={items} approvals={approvals.data ?? []} isActive={run.state === 'running'} />
      )}
      {steps.hasNextPage && (
        <Group px={18} py="sm">
          <Button
            variant="default"
            size="xs"
            loading={steps.isFetchingNextPage}
            onClick={() => void steps.fetchNextPage()}
          >
            Show more steps
          </Button>
        </Group>
      )}
    </Section>
  );
}

export { RunPage as Component };
