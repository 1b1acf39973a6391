import { Avatar, Menu, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout, IconSettings, IconUserCircle } from '@tabler/icons-react';
import { send } from '../api/api.js';
import type { Me } from '../api/admin-records.js';
import { ConsoleLink } from '../ui/console-link.js';
import { useAction } from '../ui/use-action.js';
import classes from './shell.module.css';

export function UserMenu({ me }: { me: Me }) {
  const signOut = useAction(() => send('POST', '/sign-out', {}), {
    onDone: () => window.location.assign('/admin/login'),
  });
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes.account}>
          <Avatar size={30} radius="xl" name={me.username} color="mill" />
          <VisuallyHidden>Your account</VisuallyHidden>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {me.username}
          </Text>
          <Text size="xs" truncate>
            {me.email}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={ConsoleLink} to="/profile" leftSection={<IconUserCircle size={16} stroke={1.7} />}>
          Profile
        </Menu.Item>
        {me.roles.includes('user') && (
          <Menu.Item component={ConsoleLink} to="/settings" leftSection={<IconSettings size={16} stroke={1.7} />}>
            Settings
          </Menu.Item>
        )}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} stroke={1.7} />}
          onClick={() => signOut.mutate()}
          closeMenuOnClick={false}
          disabled={signOut.isPending}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
