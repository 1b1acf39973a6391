import { Anchor, Badge, Button, Code, Drawer, Group, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Decision } from '../../api/records.js';
import { CopyIcon } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { Failure } from '../../ui/failure.js';
import { exactTime } from '../../ui/time.js';

export interface DecisionDrawerProps {
  /** None: it is closed. */
  id: string;
  /** The row, where it was read with others. */
  listed: Decision | undefined;
  close: () => void;
  /** Shows all decisions of the same request. */
  follow: (requestId: string) => void;
}

/** One row: its address can be passed on. */
export function DecisionDrawer({ id, listed, close, follow }: DecisionDrawerProps) {
  const decision = useQuery({
    ...resource<Decision>(`/audit/${encodeURIComponent(id)}`),
    enabled: id !== '' && listed === undefined,
    // What is written there stays.
    staleTime: Infinity,
  });
  const shown = listed ?? decision.data;
  return (
    <Drawer opened={id !== ''} onClose={close} position="right" size="lg" title="Decision">
      {id !== '' && shown && <Detail decision={shown} follow={follow} />}
      {id !== '' && !shown && decision.error && (
        <Failure error={decision.error} retry={() => void decision.refetch()} />
      )}
      {decision.isLoading && <Skeleton height={240} aria-busy="true" aria-label="Loading" />}
    </Drawer>
  );
}

const code = (text: string | null): ReactNode =>
  text === null ? (
    <Text span inherit c="dimmed">
      none
    </Text>
  ) : (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
      <CopyIcon value={text} label={text} />
    </Group>
  );

function Detail({ decision, follow }: { decision: Decision; follow: DecisionDrawerProps['follow'] }) {
  const { id, at, user, actor_kind, actor_id, action, resource: on, reason, request_id, ip, detail } = decision;
  return (
    <>
      <Facts
        facts={[
          [
            'Decision',
            <Badge key="decision" color={decision.decision === 'allow' ? 'mill' : 'red'}>
              {decision.decision === 'allow' ? 'Allowed' : 'Denied'}
            </Badge>,
          ],
          ...(reason === null ? [] : ([['Reason', reason]] as const)),
          ['Time', exactTime(at)],
          [
            'Accountable',
            <span key="user">
              <Anchor component={Link} to={`/access/users/${user.id}`} inherit>
                <bdi>{user.name}</bdi>
              </Anchor>{' '}
              ({user.email})
            </span>,
          ],
          [
            'Done by',
            <span key="actor">
              {actor_kind}: <bdi>{actor_id}</bdi>
            </span>,
          ],
          ['Action', code(action)],
          ['On', code(on)],
          ['Request', code(request_id)],
          ['Address', ip ?? 'none'],
          ['Row', code(id)],
        ]}
      />
      {detail !== null && (
        <>
          <Title order={3} mt="md" mb={6}>
            Detail
          </Title>
          <Code block>{JSON.stringify(detail, null, 2)}</Code>
        </>
      )}
      {request_id !== null && (
        <Button mt="md" variant="default" onClick={() => follow(request_id)}>
          All decisions of this request
        </Button>
      )}
    </>
  );
}
