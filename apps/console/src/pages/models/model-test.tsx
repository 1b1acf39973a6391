import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ModelTestResult } from '../../api/platform-records.js';
import { faultsByInput } from '../../ui/field-faults.js';
import { failureOf } from './failure-of.js';

export interface ModelTestProps {
  /** Calls the model. If the form has faults, the function shows the faults and returns undefined. */
  test: () => Promise<ModelTestResult> | undefined;
  /** Shows the faults of a refused request at the form's inputs. Returns false when a fault has no input. */
  onFaults: (faults: Readonly<Record<string, string>>) => boolean;
}

/** A button that calls the model once with the values of the form, and the answer of the model's server. */
export function ModelTest({ test, onFaults }: ModelTestProps) {
  const call = useMutation({
    mutationFn: () => test() ?? Promise.resolve(undefined),
    onError: (error) => onFaults(faultsByInput(error)),
  });
  const result = call.data;
  return (
    <Stack gap="sm" align="flex-start">
      <Button
        variant="default"
        leftSection={<IconPlugConnected size={16} stroke={1.7} />}
        loading={call.isPending}
        onClick={() => call.mutate()}
      >
        Test
      </Button>
      <div role="status">
        {call.error && (
          <Alert color="red" py="xs">
            {call.error.message}
          </Alert>
        )}
        {result?.ok === true && (
          <Alert color="mill" py="xs" title={`Answered in ${(result.latency_ms / 1_000).toFixed(1)} s`}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {result.upstream_model !== null && <strong>{result.upstream_model}: </strong>}
              {result.answer ?? ''}
            </Text>
          </Alert>
        )}
        {result?.failure && (
          <Alert color="red" py="xs" title={result.failure.advice}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {failureOf(result.failure)}
            </Text>
          </Alert>
        )}
      </div>
    </Stack>
  );
}
