import { Anchor, Button, Code, Drawer, Group, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Decision } from '../../api/admin-records.js';
import { useHasRole } from '../../api/roles.js';
import { CopyIcon } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { Failure } from '../../ui/failure.js';
import { RunLink } from '../runs/run-link.js';
import { zonedText } from './clock-text.js';
import { ACTORS, Result } from './decision-columns.js';
import { resourceOf, runOf } from '../../ui/event-resource.js';
import { FactsShape } from '../../ui/loading.js';
import { ResourceCell } from './resource-cell.js';

export interface DecisionDrawerProps {
  /** Id of the event; empty when the drawer is closed. */
  id: string;
  /** The audit event, if the list has loaded it. */
  listed: Decision | undefined;
  close: () => void;
}

/** Details of one event. The address contains its id. */
export function DecisionDrawer({ id, listed, close }: DecisionDrawerProps) {
  const decision = useQuery({
    ...resource<Decision>(`/audit/${encodeURIComponent(id)}`),
    enabled: id !== '' && listed === undefined,
    // Audit rows never change.
    staleTime: Infinity,
  });
  const shown = listed ?? decision.data;
  return (
    <Drawer opened={id !== ''} onClose={close} position="right" size="lg" title={shown?.action ?? 'Event'}>
      {id !== '' && shown && <Detail event={shown} />}
      {id !== '' && !shown && decision.error && (
        <Failure error={decision.error} retry={() => void decision.refetch()} />
      )}
      {decision.isLoading && <FactsShape facts={8} />}
    </Drawer>
  );
}

const code = (text: string): ReactNode => (
  <Group gap={4} wrap="nowrap">
    <Code style={{ overflowWrap: 'anywhere' }}>{text}</Code>
    <CopyIcon value={text} label={text} />
  </Group>
);

function Detail({ event }: { event: Decision }) {
  const { id, at, user, actor_kind, actor_id, resource: about, request_id, ip, detail } = event;
  const mayOpen = useHasRole('admin');
  const eventRun = runOf(event);
  const run = mayOpen ? eventRun : undefined;
  return (
    <>
      <Facts
        facts={[
          ['Result', <Result key="result" {...event} />],
          ['Time', zonedText(at)],
          [
            'Responsible user',
            <span key="user">
              {mayOpen ? (
                <Anchor component={Link} to={`/access/users/${user.id}`} inherit>
                  <bdi>{user.name}</bdi>
                </Anchor>
              ) : (
                <bdi>{user.name}</bdi>
              )}{' '}
              ({user.email})
            </span>,
          ],
          [
            'Actor',
            <span key="actor">
              {ACTORS[actor_kind]} <bdi>{actor_id}</bdi>
            </span>,
          ],
          ...(resourceOf(event).kind === undefined
            ? []
            : [['Resource', <ResourceCell key="resource" event={event} />] as const]),
          ['Resource ID', code(about)],
          ['Request ID', request_id === null ? '—' : code(request_id)],
          ['IP address', ip ?? '—'],
          ['Event ID', code(id)],
        ]}
      />
      {detail !== null && (
        <>
          <Title order={3} mt="md" mb={6}>
            Details
          </Title>
          <Code block>{JSON.stringify(detail, null, 2)}</Code>
        </>
      )}
      <Group mt="md" gap="xs">
        {run !== undefined && <RunLink id={run} />}
        {eventRun !== undefined && (
          <Button component={Link} to={`/audit?${new URLSearchParams({ run: eventRun })}`} variant="default">
            View all events in this run
          </Button>
        )}
        {request_id !== null && (
          <Button component={Link} to={`/audit?${new URLSearchParams({ request_id })}`} variant="default">
            View all events in this request
          </Button>
        )}
      </Group>
    </>
  );
}
