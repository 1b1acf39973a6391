import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Items, UserSession } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import { countText } from '../../ui/figures.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { sessionColumns } from './session-columns.js';

export function Sessions() {
  const sessions = useQuery(resource<Items<UserSession>>('/sessions'));
  const end = useAction((id: string) => send('DELETE', `/sessions/${id}`), {
    refresh: [['sessions']],
    done: 'The session is signed out.',
  });
  const endOthers = useAction(() => send<AdminAnswers['revokeOtherSessions']>('POST', '/sessions/revoke-others'), {
    refresh: [['sessions']],
    done: ({ revoked }) => `${countText(revoked, 'session')} signed out.`,
  });
  const others = sessions.data?.items.filter(({ current }) => !current).length ?? 0;
  const askToEndOthers = () =>
    confirm({
      title: 'Sign out everywhere else?',
      text: 'All other sessions are signed out. This one stays.',
      action: 'Sign out everywhere else',
      work: () => endOthers.mutateAsync(),
    });
  return (
    <Section
      title="Sessions"
      text="Browsers signed in to your account."
      flush
      actions={
        <Button size="xs" variant="default" onClick={askToEndOthers} disabled={others === 0}>
          Sign out everywhere else
        </Button>
      }
    >
      <DataTable
        label="Your sessions"
        columns={[
          ...sessionColumns,
          {
            title: 'Actions',
            isActions: true,
            render: (session: UserSession) =>
              !session.current && (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={end.isPending && end.variables === session.id}
                  onClick={() => end.mutate(session.id)}
                >
                  Sign out
                </Button>
              ),
          },
        ]}
        query={sessions}
        rowKey={({ id }) => id}
        empty={{ title: 'No sessions' }}
      />
    </Section>
  );
}
