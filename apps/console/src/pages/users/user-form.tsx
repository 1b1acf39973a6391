import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Me, UserDetail } from '../../api/records.js';
import { confirm } from '../../ui/confirm.js';
import { Facts } from '../../ui/facts.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';

export function UserForm({ user }: { user: UserDetail }) {
  const me = useQuery(resource<Me>('/me'));
  const form = useForm({
    initialValues: { name: user.name, role: user.role, project: user.project },
    validate: { name: (name) => (name.trim() === '' ? 'What are they called?' : null) },
  });
  const save = useAction(
    (values: typeof form.values) => send('PATCH', `/users/${user.id}`, { ...values, name: values.name.trim() }),
    { refresh: [['users'], ['me']], done: 'The account is changed. It counts from its next request on.' },
  );
  const submit = (values: typeof form.values) => {
    if (me.data?.user_id !== user.id || values.role === user.role) {
      save.mutate(values);
      return;
    }
    confirm({
      title: 'Give up your own role?',
      text: 'You lose access to this page and to all others for administrators.',
      action: 'Give it up',
      work: () => save.mutateAsync(values),
    });
  };
  const isGone = user.deleted_at !== null;
  return (
    <Section title="Account">
      <form onSubmit={form.onSubmit(submit)}>
        <Stack gap="sm" maw={560}>
          <TextInput label="Name" maxLength={200} disabled={isGone} {...form.getInputProps('name')} />
          <Group grow>
            <NativeSelect
              label="Role"
              disabled={isGone}
              data={[
                { value: 'user', label: 'User' },
                { value: 'admin', label: 'Administrator' },
              ]}
              {...form.getInputProps('role')}
            />
            <NativeSelect
              label="Project"
              disabled={isGone}
              data={['Core', 'Commerce']}
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
            ['Passkeys', user.passkeys],
            ['Last seen', <Time key="seen" at={user.last_seen_at} />],
            [
              'Created',
              <span key="created">
                <Time at={user.created_at} />
                {user.self_registered ? ', by registering' : ''}
              </span>,
            ],
          ]}
        />
      </div>
    </Section>
  );
}
