import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconKey } from '@tabler/icons-react';
import { send } from '../../api/api.js';
import type { UserDetail } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { useHasRole } from '../../api/roles.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { useAction } from '../../ui/use-action.js';
import { showSetupLink } from './setup-link.js';

/** The reason why the user cannot sign in, with the action that helps. */
export function AccountNotice({ user }: { user: UserDetail }) {
  const link = useAction(() => send<AdminAnswers['createSetupToken']>('POST', `/users/${user.id}/setup-token`), {
    onDone: (answer) => showSetupLink({ name: user.name, ...answer }),
  });
  const enable = useAction(() => send('POST', `/users/${user.id}/enable`), {
    refresh: QUERY_KEYS.users,
    done: 'The account is enabled.',
  });
  const mayLink = useHasRole('admin');
  if (user.deleted_at !== null) return null;
  if (user.status === 'inactive') {
    return (
      <Alert color="red" icon={<IconAlertTriangle size={18} />} mb="lg">
        <Group justify="space-between">
          This account is disabled: the user cannot sign in.
          <Button size="xs" variant="default" onClick={() => enable.mutate()} loading={enable.isPending}>
            Enable account
          </Button>
        </Group>
      </Alert>
    );
  }
  if (user.passkeys > 0) return null;
  return (
    <Alert color="orange" icon={<IconKey size={18} />} mb="lg">
      <Group justify="space-between">
        <span>
          <bdi>{user.name}</bdi> hasn’t set up a passkey yet.
        </span>
        {mayLink && (
          <Button size="xs" variant="default" onClick={() => link.mutate()} loading={link.isPending}>
            Create setup link
          </Button>
        )}
      </Group>
    </Alert>
  );
}
