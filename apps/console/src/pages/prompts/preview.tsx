import { Alert, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { askArea } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import { currentProject } from '../../api/project.js';
import type { GenerateResult } from '../../api/prompt-records.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { TextShape } from '../../ui/loading.js';
import { RenderedView } from './rendered-view.js';
import { inputFaults } from './trial.js';

const TYPING_PAUSE_MS = 400;

/** Explains what is missing for a preview. */
function previewFault(error: Error): string {
  const faults = Object.entries(inputFaults(error));
  if (faults.length === 0) return error.message;
  const missing = faults.filter(([, reason]) => reason === 'Required.').map(([name]) => name);
  if (missing.length === faults.length) return `Fill in ${missing.join(', ')} to see the preview.`;
  return faults.map(([name, reason]) => `${name}: ${reason}`).join(' ');
}

/** Shows how the server renders the chosen version with these inputs. */
export function Preview({ path, body }: { path: string; body: object | undefined }) {
  const [settled] = useDebouncedValue(body === undefined ? '' : JSON.stringify(body), TYPING_PAUSE_MS);
  const rendered = useQuery({
    queryKey: ['prompt', 'v1', 'render', currentProject(), path, settled],
    queryFn: ({ signal }) =>
      askArea<GenerateResult>('prompt', 'POST', path, settled, {
        signal,
        headers: { 'content-type': 'application/json' },
      }),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    gcTime: 30_000,
  });
  const { data, error } = rendered;
  const isInput = error instanceof ApiError && error.status === 400;
  return (
    <Section title="Preview" text="What the model will receive, before the conversation and your message.">
      <Stack gap="md">
        {error &&
          (isInput ? (
            <Alert color="yellow" py="xs" role="status">
              <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                {previewFault(error)}
              </Text>
            </Alert>
          ) : (
            <Failure error={error} retry={() => void rendered.refetch()} />
          ))}
        {rendered.isLoading && <TextShape lines={5} />}
        {data && !error && (
          <>
            {data.warnings.length > 0 && (
              <Alert color="gray" py="xs" role="status">
                {data.warnings.map((warning, index) => (
                  <Text key={index} size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {warning}
                  </Text>
                ))}
              </Alert>
            )}
            <div>
              <RenderedView rendered={data.data} />
            </div>
          </>
        )}
      </Stack>
    </Section>
  );
}
