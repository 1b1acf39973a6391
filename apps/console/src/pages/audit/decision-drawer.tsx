import { Badge, Button, Code, Drawer, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Decision } from '../../api/records.js';
import { CopyIcon } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { exactTime } from '../../ui/time.js';

export interface DecisionDrawerProps {
  decision: Decision | undefined;
  close: () => void;
  /** Shows all decisions of the same request. */
  follow: (requestId: string) => void;
}

export function DecisionDrawer({ decision, close, follow }: DecisionDrawerProps) {
  return (
    <Drawer opened={decision !== undefined} onClose={close} position="right" size="lg" title="Decision">
      {decision && <Detail decision={decision} follow={follow} />}
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
  const { id, at, user, actor_kind, actor_id, action, resource, reason, request_id, ip, detail } = decision;
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
              <Link to={`/access/users/${user.id}`}>
                <bdi>{user.name}</bdi>
              </Link>{' '}
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
          ['On', code(resource)],
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
