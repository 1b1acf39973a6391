import { Alert, Anchor, Badge, Code, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { RunResult } from '../../api/prompt-records.js';
import { CopyIcon } from '../../ui/copy.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Facts } from '../../ui/facts.js';
import { costText } from '../../ui/figures.js';
import { indentedJson } from '../../ui/indented-json.js';
import { FailedRuns } from '../runs/run-cause.js';
import { RunError } from '../../ui/run-error.js';
import { MessageText } from '../../ui/message-text.js';
import { useMessageRuns } from '../conversations/use-message-runs.js';
import { RunLink } from '../runs/run-link.js';
import classes from './prompts.module.css';
import { inputFaults } from './trial.js';
import type { Running } from './use-run.js';

const OFF = {
  title: 'No answer',
  text: "The model didn't respond, or the prompt API is off or starting. Try again shortly.",
};

/** A run: the streamed answer, then model, tokens, cost and duration. */
export function RunView({ running }: { running: Running | undefined }) {
  if (!running) {
    return <EmptyState title="No runs yet" text="The answer streams in here." />;
  }
  const { text, repairs, state, result, error, ms } = running;
  const answer = result ? result.data.message.content : text;
  return (
    <Stack gap="md">
      {repairs.length > 0 && state === 'working' && (
        <Alert color="yellow" py="xs" role="status">
          The answer did not match the output schema: {repairs.join('; ')}. Retrying once.
        </Alert>
      )}
      {error && Object.keys(inputFaults(error)).length > 0 && (
        <Alert color="red" py="xs" role="alert">
          Not run. Correct the marked inputs.
        </Alert>
      )}
      {error && Object.keys(inputFaults(error)).length === 0 && (
        <RunError error={error} off={OFF}>
          <FailedRuns />
        </RunError>
      )}
      <div
        className={classes.answer}
        hidden={answer === '' && state !== 'working'}
        role="log"
        aria-label="Answer"
        aria-busy={state === 'working'}
      >
        {answer !== '' &&
          (isData(result) ? <pre tabIndex={0}>{indentedJson(answer)}</pre> : <MessageText text={answer} />)}
        {answer === '' && state === 'working' && (
          <Text size="sm" c="dimmed">
            Waiting for the model…
          </Text>
        )}
      </div>
      {state === 'stopped' && (
        <Alert color="gray" py="xs" role="status">
          You stopped following. The run continues, and its answer is saved under{' '}
          <Anchor component={Link} to="/conversations" inherit underline="always">
            Conversations
          </Anchor>
          .
        </Alert>
      )}
      {result && <Outcome result={result} ms={ms ?? 0} />}
    </Stack>
  );
}

function Outcome({ result, ms }: { result: RunResult; ms: number }) {
  const { success, data, metadata, warnings, cost_usd } = result;
  const { usage, model } = metadata;
  const runId = useMessageRuns(data.conversation.id).get(data.message.id);
  const count = (tokens: number) => tokens.toLocaleString('en');
  return (
    <>
      {warnings.length > 0 && (
        <Alert
          role="status"
          color={success ? 'yellow' : 'red'}
          py="xs"
          title={success ? undefined : 'The answer does not match the output schema.'}
        >
          <Stack gap={2}>
            {warnings.map((warning, index) => (
              <Text key={index} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {warning}
              </Text>
            ))}
          </Stack>
        </Alert>
      )}
      <Facts
        facts={[
          [
            'Outcome',
            <Group key="outcome" gap={8}>
              <Badge color={success ? 'mill' : 'red'}>{success ? 'Done' : 'Invalid'}</Badge>
              <CopyIcon value={data.message.content} label="answer" />
            </Group>,
          ],
          ['Model', <Code key="model">{model}</Code>],
          [
            'Tokens',
            `${count(usage.total_tokens)} (${count(usage.prompt_tokens)} input, ${count(usage.completion_tokens)} output)`,
          ],
          ['Cost', costText(cost_usd ?? null, usage.total_tokens)],
          ['Duration', `${(ms / 1_000).toFixed(1)} s`],
          [
            'Saved as',
            <Anchor key="kept" component={Link} to={`/conversations/${data.conversation.id}`} size="sm">
              Conversation with {data.conversation.message.length} messages
            </Anchor>,
          ],
          ...(runId === undefined ? [] : [['Run', <RunLink key="run" id={runId} />] as const]),
        ]}
      />
    </>
  );
}

/** Whether the answer is structured data instead of text. */
const isData = (result: RunResult | undefined) =>
  result !== undefined && Object.keys(result.data.structured_data).length > 0;
