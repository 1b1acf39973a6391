import { Button, Group, Modal, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { send } from '../../api/api.js';
import { PROJECTS, useProject } from '../../api/project.js';
import type { User } from '../../api/records.js';
import { useAction } from '../../ui/use-action.js';
import { showSetupLink } from './setup-link.js';
import { ROLES } from './user-badges.js';

type NewAccount = User & { setup_url: string; setup_expires_at: string };

/** What each role may do. */
const ROLE_TEXTS = {
  user: 'Signs in, calls the APIs and manages their own account.',
  admin: 'Also builds agents, manages users and reads the audit trail.',
} as const;

export function NewUser({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="New user">
      <Fields close={close} />
    </Modal>
  );
}

function Fields({ close }: { close: () => void }) {
  const current = useProject();
  const form = useForm({
    initialValues: { name: '', email: '', role: 'user' as User['role'], project: current },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : 'Enter an email address.'),
    },
  });
  const create = useAction(
    ({ name, email, ...rest }: typeof form.values) =>
      send<NewAccount>('POST', '/users', { name: name.trim(), email: email.trim(), ...rest }),
    {
      refresh: [['users'], ['dashboard']],
      onDone: (user) => {
        close();
        showSetupLink({ name: user.name, setup_url: user.setup_url, expires_at: user.setup_expires_at });
      },
    },
  );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack gap="md">
        <TextInput label="Name" maxLength={200} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
        <TextInput label="Email" type="email" maxLength={254} autoComplete="off" {...form.getInputProps('email')} />
        <Radio.Group label="Role" {...form.getInputProps('role')}>
          <Stack gap="xs" mt={6}>
            {Object.entries(ROLES).map(([role, label]) => (
              <Radio key={role} value={role} label={label} description={ROLE_TEXTS[role as User['role']]} />
            ))}
          </Stack>
        </Radio.Group>
        <NativeSelect label="Project" data={[...PROJECTS]} {...form.getInputProps('project')} />
        <Text size="sm" c="dimmed">
          You’ll get a setup link to send them.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create user
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
