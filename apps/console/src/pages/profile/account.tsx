import { Button, Group, TextInput } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { send } from '../../api/api.js';
import type { Me, User } from '../../api/admin-records.js';
import type { AdminAnswers } from '../../api/answers/admin.js';
import { signalAuthenticators } from '../../api/passkey-signals.js';
import { Facts } from '../../ui/facts.js';
import { ProjectName } from '../../ui/project-name.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { RoleBadge } from '../../ui/user-badges.js';

const accountOf = ({ roles }: Me): Pick<User, 'role' | 'platform_admin'> => ({
  role: (['admin', 'project_admin', 'auditor'] as const).find((role) => roles.includes(role)) ?? 'user',
  platform_admin: roles.includes('platform_admin'),
});

export function Account({ me }: { me: Me }) {
  const [name, setName] = useState(me.username);
  const rename = useAction(() => send<AdminAnswers['updateMe']>('PATCH', '/me', { name: name.trim() }), {
    refresh: [['me']],
    done: 'Your name is changed.',
    onDone: ({ signals }) => signalAuthenticators(signals),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    rename.mutate();
  };
  return (
    <Section title="Account">
      <form onSubmit={submit}>
        <Group align="flex-end" gap="xs" mb="sm" wrap="nowrap" maw={460}>
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            maxLength={200}
            autoComplete="name"
            flex={1}
          />
          <Button
            type="submit"
            variant="default"
            loading={rename.isPending}
            disabled={name.trim() === '' || name.trim() === me.username}
          >
            Save
          </Button>
        </Group>
      </form>
      <Facts
        facts={[
          ['Email', me.email],
          ['Role', <RoleBadge key="role" user={accountOf(me)} />],
          ['Project', <ProjectName key="project" id={me.project} />],
        ]}
      />
    </Section>
  );
}
