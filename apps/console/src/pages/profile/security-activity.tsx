import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Items, SecurityActivity as Activity } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { countText } from '../../ui/figures.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { activityText } from './activity-text.js';

const COLUMNS: Column<Activity>[] = [
  { title: 'Event', render: ({ event }) => activityText(event) },
  { title: 'By', render: ({ by }) => (by === 'you' ? 'This account' : 'An administrator') },
  { title: 'IP address', render: ({ ip }) => ip ?? '—' },
  { title: 'When', render: ({ at }) => <Time at={at} /> },
];

/** Recent changes of the account's sign-in methods and credentials, with advice about changes that the user did not make. */
export function SecurityActivity() {
  const activity = useQuery(resource<Items<Activity>>('/me/security-activity'));
  const endOthers = useAction(() => send<AdminAnswers['revokeOtherSessions']>('POST', '/sessions/revoke-others'), {
    refresh: [['sessions']],
    done: ({ revoked }) => `${countText(revoked, 'session')} signed out.`,
  });
  const askToEndOthers = () =>
    confirm({
      title: 'Was one of these not you?',
      text: 'All other sessions are signed out. Then remove every passkey, device and app on this page that you do not know, revoke such keys in Settings, and contact an administrator.',
      action: 'Sign out everywhere else',
      work: () => endOthers.mutateAsync(),
    });
  return (
    <Section
      title="Security activity"
      text="What changed the ways into your account in the last 90 days."
      flush
      actions={
        <Button size="xs" variant="default" onClick={askToEndOthers}>
          This was not me
        </Button>
      }
    >
      <DataTable
        label="Security activity"
        columns={COLUMNS}
        query={activity}
        rowKey={({ id }) => id}
        empty={{ title: 'No changes in the last 90 days' }}
      />
    </Section>
  );
}
