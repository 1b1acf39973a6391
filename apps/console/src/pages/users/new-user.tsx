import { Modal, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { send } from '../../api/api.js';
import { useProject } from '../../api/project.js';
import { useProjectOptions } from '../../api/projects.js';
import type { NewUser, User } from '../../api/admin-records.js';
import { useHasRole } from '../../api/roles.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { useAction } from '../../ui/use-action.js';
import { showSetupLink } from './setup-link.js';
import { ROLES } from '../../ui/user-badges.js';

/** Texts that describe the rights of each role. */
const ROLE_TEXTS: Readonly<Record<string, string>> = {
  user: 'Signs in, calls the APIs and manages their own account.',
  project_admin: 'Also builds agents and manages users, in one project.',
  auditor: 'Reads the audit log, and nothing else.',
  admin: 'Also builds agents, manages users and reads the audit log, in all projects.',
} satisfies Record<User['role'], string>;

export function NewUser({ opened, close }: { opened: boolean; close: () => void }) {
  return (
    <Modal opened={opened} onClose={close} title="New user">
      <Fields close={close} />
    </Modal>
  );
}

interface Values {
  name: string;
  email: string;
  role: User['role'];
  project: string;
}

function Fields({ close }: { close: () => void }) {
  const current = useProject();
  const projects = useProjectOptions();
  const mayGiveRights = useHasRole('admin');
  const form = useForm<Values>({
    initialValues: { name: '', email: '', role: 'user', project: current },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : 'Enter an email address.'),
    },
  });
  const create = useAction(
    ({ name, email, ...rights }: typeof form.values) =>
      send<NewUser>('POST', '/users', { name: name.trim(), email: email.trim(), ...(mayGiveRights && rights) }),
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
        {mayGiveRights && (
          <>
            <Radio.Group label="Role" {...form.getInputProps('role')}>
              <Stack gap="xs" mt={6}>
                {Object.entries(ROLES).map(([role, label]) => (
                  <Radio key={role} value={role} label={label} description={ROLE_TEXTS[role]} />
                ))}
              </Stack>
            </Radio.Group>
            <NativeSelect label="Project" data={projects} {...form.getInputProps('project')} />
          </>
        )}
        <Text size="sm" c="dimmed">
          You’ll get a setup link to send them.
        </Text>
        <DialogActions close={close} isWorking={create.isPending}>
          Create user
        </DialogActions>
      </Stack>
    </form>
  );
}
