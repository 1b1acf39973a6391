import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import { useProjectOptions } from '../../api/projects.js';
import type { Me, UserDetail } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { useHasRole } from '../../api/roles.js';
import { askName } from '../../ui/ask-name.js';
import { confirm } from '../../ui/confirm.js';
import { CopyIcon } from '../../ui/copy.js';
import { Facts } from '../../ui/facts.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { ROLES } from '../../ui/user-badges.js';

export function UserForm({ user }: { user: UserDetail }) {
  const me = useQuery(resource<Me>('/me'));
  const mayGiveRights = useHasRole('admin');
  const projects = useProjectOptions();
  const isKnown = projects.some(({ value }) => value === user.project);
  const form = useForm({
    initialValues: { name: user.name, role: user.role, project: user.project },
    validate: { name: (name) => (name.trim() === '' ? 'Enter a name.' : null) },
  });
  const save = useAction(
    (values: typeof form.values) =>
      send('PATCH', `/users/${user.id}`, { ...(mayGiveRights && values), name: values.name.trim() }),
    { refresh: [['users'], ['me']], done: 'Saved. It applies from their next request.' },
  );
  const submit = (values: typeof form.values) => {
    if (me.data?.user_id !== user.id || values.role === user.role) {
      save.mutate(values);
      return;
    }
    confirm({
      title: 'Change your own role?',
      text: 'You lose access to this page and to other pages for administrators.',
      action: 'Change role',
      work: () => save.mutateAsync(values),
    });
  };
  const isGone = user.deleted_at !== null;
  const mayChangeEmail = !isGone && me.data?.roles.includes('platform_admin') === true;
  return (
    <Section title="Account">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack gap="sm" maw={560}>
          <TextInput label="Name" maxLength={200} disabled={isGone} {...form.getInputProps('name')} />
          <Group grow>
            <NativeSelect
              label="Role"
              disabled={isGone || !mayGiveRights}
              data={Object.entries(ROLES).map(([value, label]) => ({ value, label }))}
              {...form.getInputProps('role')}
            />
            <NativeSelect
              label="Project"
              disabled={isGone || !mayGiveRights}
              data={isKnown ? projects : [...projects, { value: user.project, label: `${user.project} (deleted)` }]}
              {...form.getInputProps('project')}
            />
          </Group>
          <div>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </div>
        </Stack>
      </form>
      <div style={{ marginTop: 16 }}>
        <Facts
          facts={[
            ['User ID', <Copied key="id" text={user.id} label="user ID" />],
            [
              'Email',
              <Group key="email" gap="xs">
                <Copied text={user.email} label="email" />
                {mayChangeEmail && <ChangeEmail user={user} />}
              </Group>,
            ],
            ['Passkeys', user.passkeys],
            ['Last seen', <Time key="seen" at={user.last_seen_at} none="Never" />],
            [
              'Created',
              <span key="created">
                <Time at={user.created_at} />
                {user.self_registered ? ' (self-registered)' : ''}
              </span>,
            ],
          ]}
        />
      </div>
    </Section>
  );
}

function ChangeEmail({ user }: { user: UserDetail }) {
  const change = useAction(
    (email: string) => send<AdminAnswers['changeUserEmail']>('PUT', `/users/${user.id}/email`, { email }),
    { refresh: [['users'], ['me']], done: 'The email is changed.' },
  );
  const ask = () =>
    askName({
      title: 'Change email',
      text: 'The user is signed out and informed at the current address. They cannot recover the account by email for 24 hours.',
      label: 'New email',
      value: user.email,
      maxLength: 254,
      action: 'Change email',
      work: (email) => change.mutateAsync(email),
    });
  return (
    <Button variant="default" size="compact-xs" onClick={ask}>
      Change
    </Button>
  );
}

function Copied({ text, label }: { text: string; label: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <span style={{ overflowWrap: 'anywhere' }}>{text}</span>
      <CopyIcon value={text} label={label} />
    </Group>
  );
}
