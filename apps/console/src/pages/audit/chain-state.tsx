import { Alert, Badge, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Chain } from '../../api/admin-records.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { TextShape } from '../../ui/loading.js';

const STATES: Readonly<Record<Chain['verified'], { label: string; color: string }>> = {
  ok: { label: 'Verified', color: 'mill' },
  broken: { label: 'Broken', color: 'red' },
  unchecked: { label: 'Not verified', color: 'gray' },
};

/** Milliseconds between two reads of a verification's progress. */
const VERIFYING_MS = 5_000;

/** Section that shows whether the audit log matches its seals, and starts a verification. */
export function ChainState() {
  const queries = useQueryClient();
  const chain = useQuery({
    ...resource<Chain>('/audit/chain'),
    refetchInterval: ({ state }) => (state.data?.verifying ? VERIFYING_MS : false),
  });
  const verify = useAction(() => send<Chain>('POST', '/audit/verify'), {
    onDone: (state) => queries.setQueryData(resource<Chain>('/audit/chain').queryKey, state),
  });
  const state = chain.data;
  return (
    <Section
      title="Integrity"
      text="Events are sealed in signed batches: a check finds what was changed or deleted since."
      actions={
        // The button is shown only after the first seal, because before it there is nothing to verify.
        state &&
        state.batches > 0 && (
          <Button
            size="xs"
            variant="default"
            onClick={() => verify.mutate()}
            loading={verify.isPending || state.verifying !== null}
          >
            Verify now
          </Button>
        )
      }
    >
      {chain.error && <Failure error={chain.error} retry={() => void chain.refetch()} />}
      {chain.isPending && <TextShape lines={1} />}
      {state && (
        <Stack gap="xs">
          <Group gap="lg" role="status">
            {state.batches === 0 ? (
              <Badge size="md" color="gray">
                Nothing sealed yet
              </Badge>
            ) : (
              <Badge size="md" color={STATES[state.verified].color}>
                {STATES[state.verified].label}
              </Badge>
            )}
            {state.verifying && (
              <Text size="sm">
                Verifying: {state.verifying.verified.toLocaleString('en')} of{' '}
                {state.verifying.seals.toLocaleString('en')} batches
              </Text>
            )}
            {state.verified_at !== null && (
              <Text size="sm">
                Verified <Time at={state.verified_at} />
              </Text>
            )}
            <Text size="sm">
              {state.batches.toLocaleString('en')} {state.batches === 1 ? 'batch' : 'batches'}
            </Text>
            {state.last_sealed_at !== null && (
              <Text size="sm">
                Last sealed <Time at={state.last_sealed_at} />
              </Text>
            )}
            <Text size="sm">{state.unsealed.toLocaleString('en')} waiting to be sealed</Text>
            {state.removed && (
              <Text size="sm">
                {state.removed.rows.toLocaleString('en')} removed by retention, sealed until{' '}
                <Time at={state.removed.sealed_through} />
              </Text>
            )}
          </Group>
          {state.verified_with !== null && <TrustedKeys source={state.verified_with} />}
          {state.faults.map((fault, index) => (
            <Alert key={index} color="red" py="xs">
              {fault.reason}
              {fault.row !== null && (
                <>
                  {' '}
                  Row <Code>{fault.row}</Code>
                </>
              )}
              {fault.seal !== null && ` Seal ${fault.seal}`}
            </Alert>
          ))}
        </Stack>
      )}
    </Section>
  );
}

/** States which keys a check trusted. With keys from the database, the check cannot detect changes by somebody who can also replace the keys. */
function TrustedKeys({ source }: { source: NonNullable<Chain['verified_with']> }) {
  if (source === 'pinned') {
    return (
      <Text size="sm" c="dimmed">
        Checked with keys that are pinned outside the database.
      </Text>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      This check trusted the keys that the database lists: who owns the database could have sealed a changed log again.
      To pin the keys, save the output of <Code>millwright admin signing-keys list --json</Code> apart from the database
      and set <Code>AUDIT_PINNED_KEYS_FILE</Code> of admin-auth to that file.
    </Text>
  );
}
