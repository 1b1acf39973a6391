import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { send } from '../../api/api.js';
import type { UserDetail } from '../../api/records.js';
import { confirm } from '../../ui/confirm.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { showSetupLink } from './setup-link.js';

/** What ends or restores an account's access. */
export function AccessActions({ user }: { user: UserDetail }) {
  const navigate = useNavigate();
  const path = `/users/${user.id}`;
  const refresh = [['users'], ['dashboard']];
  const link = useAction(() => send<{ setup_url: string; expires_at: string }>('POST', `${path}/setup-token`), {
    onDone: (answer) => showSetupLink({ name: user.name, ...answer }),
  });
  const revoke = useAction(() => send<{ revoked: Record<string, number> }>('POST', `${path}/revoke`), {
    refresh,
    done: ({ revoked }) => `Ended: ${revokedText(revoked)}.`,
  });
  const disable = useAction(() => send('POST', `${path}/disable`), { refresh, done: 'The account is disabled.' });
  const enable = useAction(() => send('POST', `${path}/enable`), { refresh, done: 'The account is enabled.' });
  const remove = useAction(() => send('DELETE', path), {
    refresh,
    done: 'The account is deleted.',
    onDone: () => void navigate('/access/users'),
  });
  if (user.deleted_at !== null) return null;
  const name = <bdi>{user.name}</bdi>;

  return (
    <Section title="Access" tone="danger">
      <Stack gap="md">
        {user.status === 'active' && user.passkeys === 0 && (
          <Step
            title="Setup link"
            text="A new link to enrol the first passkey. An earlier one stops working."
            button={
              <Button variant="default" onClick={() => link.mutate()} loading={link.isPending}>
                New setup link
              </Button>
            }
          />
        )}
        <Step
          title="End everything"
          text="Ends every session, key, token, device and code at once. The person can sign in again."
          button={
            <Button
              variant="default"
              onClick={() =>
                confirm({
                  title: 'End every session and credential?',
                  text: (
                    <>{name} is signed out everywhere, and programs that act for them stop. This cannot be undone.</>
                  ),
                  action: 'End all',
                  work: () => revoke.mutateAsync(),
                })
              }
            >
              End sessions and credentials
            </Button>
          }
        />
        {user.status === 'active' ? (
          <Step
            title="Disable"
            text="Shuts the account out with all that it has, until it is enabled again."
            button={
              <Button
                variant="default"
                onClick={() =>
                  confirm({
                    title: 'Disable this account?',
                    text: (
                      <>
                        {name} is refused from the next request on, and every session and credential is revoked.
                        Enabling lets them sign in again; what was revoked stays so.
                      </>
                    ),
                    action: 'Disable',
                    work: () => disable.mutateAsync(),
                  })
                }
              >
                Disable
              </Button>
            }
          />
        ) : (
          <Step
            title="Enable"
            text="Lets the person sign in again."
            button={
              <Button variant="default" onClick={() => enable.mutate()} loading={enable.isPending}>
                Enable
              </Button>
            }
          />
        )}
        <Step
          title="Delete"
          text="For good. What the account did stays in the audit trail under its name."
          button={
            <Button
              color="red"
              variant="light"
              onClick={() =>
                confirm({
                  title: 'Delete this account for good?',
                  text: <>{name} can never sign in again with it. This cannot be undone.</>,
                  typed: user.email,
                  action: 'Delete for good',
                  work: () => remove.mutateAsync(),
                })
              }
            >
              Delete
            </Button>
          }
        />
      </Stack>
    </Section>
  );
}

function Step({ title, text, button }: { title: string; text: string; button: ReactNode }) {
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
      {button}
    </Group>
  );
}

function revokedText(revoked: Readonly<Record<string, number>>): string {
  const parts = Object.entries(revoked).filter(([, count]) => count > 0);
  return parts.length === 0 ? 'nothing was live' : parts.map(([kind, count]) => `${count} ${kind}`).join(', ');
}
