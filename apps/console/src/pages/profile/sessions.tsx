import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Items, Session } from '../../api/records.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { sessionColumns } from './session-columns.js';

export function Sessions() {
  const sessions = useQuery(resource<Items<Session>>('/sessions'));
  const end = useAction((id: string) => send('DELETE', `/sessions/${id}`), {
    refresh: [['sessions']],
    done: 'The session is ended.',
  });
  const endOthers = useAction(() => send<{ revoked: number }>('POST', '/sessions/revoke-others'), {
    refresh: [['sessions']],
    done: ({ revoked }) => (revoked === 1 ? 'One session is ended.' : `${revoked} sessions are ended.`),
  });
  const others = sessions.data?.items.filter(({ current }) => !current).length ?? 0;
  const askToEndOthers = () =>
    confirm({
      title: 'End all other sessions?',
      text: 'Every other browser where you are signed in is signed out at its next click. This one stays.',
      action: 'End them',
      work: () => endOthers.mutateAsync(),
    });
  return (
    <Section
      title="Sessions"
      text="Browsers where you are signed in."
      flush
      actions={
        others > 0 && (
          <Button size="xs" variant="default" onClick={askToEndOthers}>
            End all others
          </Button>
        )
      }
    >
      <DataTable
        label="Your sessions"
        columns={[
          ...sessionColumns,
          {
            title: 'Actions',
            isActions: true,
            render: (session: Session) =>
              session.current ? (
                <Badge>This one</Badge>
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={end.isPending && end.variables === session.id}
                  onClick={() => end.mutate(session.id)}
                >
                  End
                </Button>
              ),
          },
        ]}
        query={sessions}
        rowKey={({ id }) => id}
        empty={{ title: 'No session' }}
      />
    </Section>
  );
}
