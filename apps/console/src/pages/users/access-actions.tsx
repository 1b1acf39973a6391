import { Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { send } from '../../api/api.js';
import type { UserDetail } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { useHasRole } from '../../api/roles.js';
import { confirm, type ConfirmOptions } from '../../ui/confirm.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';

/** Actions that end an account's access. */
export function AccessActions({ user }: { user: UserDetail }) {
  const navigate = useNavigate();
  const isAdmin = useHasRole('admin');
  const path = `/users/${user.id}`;
  const revoke = useAction(
    (passkeys: boolean) => send<AdminAnswers['revokeUserCredentials']>('POST', `${path}/revoke`, { passkeys }),
    {
      refresh: QUERY_KEYS.users,
      done: ({ revoked }) => `Revoked: ${revokedText(revoked)}.`,
    },
  );
  const disable = useAction(() => send('POST', `${path}/disable`), {
    refresh: QUERY_KEYS.users,
    done: 'The account is disabled.',
  });
  const remove = useAction(() => send('DELETE', path), {
    refresh: QUERY_KEYS.users,
    done: 'The account is deleted.',
    onDone: () => void navigate('/access/users'),
  });
  if (user.deleted_at !== null) return null;
  const name = <bdi>{user.name}</bdi>;

  return (
    <Section title={isAdmin ? 'Revoke, disable or delete' : 'Revoke or disable'} tone="danger">
      <Stack gap="md">
        <Step
          title="Revoke access"
          text="Ends all sessions, keys, tokens, devices and codes now. The user can sign in again."
          button="Revoke sessions and keys"
          ask={{
            title: 'Revoke sessions and keys?',
            text: <>{name} is signed out everywhere, and their keys and tokens stop working. This cannot be undone.</>,
            action: 'Revoke sessions and keys',
            work: () => revoke.mutateAsync(false),
          }}
        />
        {isAdmin && user.passkeys > 0 && (
          <Step
            title="Revoke access and passkeys"
            text="Also removes all passkeys. The user needs a setup link to sign in again."
            button="Revoke with passkeys"
            ask={{
              title: 'Revoke access and remove all passkeys?',
              text: (
                <>
                  {name} is signed out everywhere and cannot sign in until you create a setup link for them. This cannot
                  be undone.
                </>
              ),
              action: 'Revoke with passkeys',
              work: () => revoke.mutateAsync(true),
            }}
          />
        )}
        {user.status === 'active' && (
          <Step
            title="Disable account"
            text="Blocks sign-in until re-enabled, and permanently revokes all sessions and keys."
            button="Disable account"
            ask={{
              title: 'Disable this account?',
              text: (
                <>
                  {name} will be signed out and all sessions and keys revoked immediately. You can re-enable the account
                  later; revoked keys stay revoked.
                </>
              ),
              action: 'Disable account',
              work: () => disable.mutateAsync(),
            }}
          />
        )}
        {isAdmin && (
          <Step
            title="Delete account"
            text="Permanent. Audit log entries are kept."
            button="Delete account"
            isFinal
            ask={{
              title: 'Delete this account?',
              text: <>{name} can never sign in with it again. This cannot be undone.</>,
              typed: user.email,
              action: 'Delete account',
              work: () => remove.mutateAsync(),
            }}
          />
        )}
      </Stack>
    </Section>
  );
}

interface StepProps {
  title: string;
  text: string;
  button: string;
  ask: ConfirmOptions;
  isFinal?: boolean;
}

function Step({ title, text, button, ask, isFinal = false }: StepProps) {
  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text fw={550} size="sm">
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </div>
      <Button {...(isFinal ? { color: 'red', variant: 'light' } : { variant: 'default' })} onClick={() => confirm(ask)}>
        {button}
      </Button>
    </Group>
  );
}

function revokedText(revoked: Readonly<Record<string, number>>): string {
  const parts = Object.entries(revoked).filter(([, count]) => count > 0);
  return parts.length === 0 ? 'nothing' : parts.map(([kind, count]) => `${count} ${kind}`).join(', ');
}
