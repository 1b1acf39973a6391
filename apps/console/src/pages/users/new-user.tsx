import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { send } from '../../api/api.js';
import type { User } from '../../api/records.js';
import { useAction } from '../../ui/use-action.js';
import { showSetupLink } from './setup-link.js';

type NewAccount = User & { setup_url: string; setup_expires_at: string };

export function NewUser({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="New user">
      <Fields close={close} />
    </Modal>
  );
}

function Fields({ close }: { close: () => void }) {
  const form = useForm({
    initialValues: { name: '', email: '', role: 'user', project: 'Core' },
    validate: {
      name: (name) => (name.trim() === '' ? 'What are they called?' : null),
      email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : 'That is not an email address.'),
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
        <Group grow>
          <NativeSelect
            label="Role"
            data={[
              { value: 'user', label: 'User' },
              { value: 'admin', label: 'Administrator' },
            ]}
            {...form.getInputProps('role')}
          />
          <NativeSelect label="Project" data={['Core', 'Commerce']} {...form.getInputProps('project')} />
        </Group>
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
