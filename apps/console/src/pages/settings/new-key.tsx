import { Button, Group, Modal, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { send } from '../../api/api.js';
import type { Key, Me } from '../../api/records.js';
import { useAction } from '../../ui/use-action.js';
import type { IssuedKey } from './keys.js';
import { ScopePicker } from './scope-picker.js';

const EXPIRIES = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: '', label: 'Never' },
];
const PLANS = [
  { value: 'standard', label: 'Standard: 100 requests a minute' },
  { value: 'professional', label: 'Professional: 500 requests a minute' },
];

export interface NewKeyProps {
  kind: Key['kind'];
  me: Me;
  opened: boolean;
  close: () => void;
  onIssued: (key: IssuedKey) => void;
}

export function NewKey({ kind, me, opened, close, onIssued }: NewKeyProps) {
  return (
    <Modal opened={opened} onClose={close} title={kind === 'pat' ? 'New token' : 'New API key'} size="lg">
      <NewKeyForm kind={kind} me={me} close={close} onIssued={onIssued} />
    </Modal>
  );
}

function NewKeyForm({ kind, me, close, onIssued }: Omit<NewKeyProps, 'opened'>) {
  const form = useForm({
    initialValues: { name: '', expires: '90', plan: 'standard', project: me.project, scopes: ['*'] },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name that you will know again.' : null),
      scopes: (scopes) => (kind === 'api_key' && scopes.length === 0 ? 'Choose at least one.' : null),
    },
  });
  const create = useAction(
    ({ name, expires, plan, project, scopes }: typeof form.values) =>
      send<IssuedKey>('POST', '/keys', {
        kind,
        name: name.trim(),
        ...(expires !== '' && { expires_in_days: Number(expires) }),
        ...(kind === 'api_key' && { scopes }),
        ...(kind === 'api_key' && me.is_admin && { plan, project }),
      }),
    {
      refresh: [['keys']],
      onDone: (key) => {
        close();
        onIssued(key);
      },
    },
  );
  return (
    <form onSubmit={form.onSubmit((values) => create.mutate(values))}>
      <Stack gap="md">
        <TextInput
          label="Name"
          placeholder={kind === 'pat' ? 'Build machine' : 'Reporting service'}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('name')}
        />
        <NativeSelect label="Expires" data={EXPIRIES} {...form.getInputProps('expires')} />
        {kind === 'api_key' && me.is_admin && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NativeSelect label="Project" data={['Core', 'Commerce']} {...form.getInputProps('project')} />
            <NativeSelect label="Plan" data={PLANS} {...form.getInputProps('plan')} />
          </SimpleGrid>
        )}
        {kind === 'api_key' && (
          <ScopePicker
            value={form.values.scopes}
            onChange={(scopes) => form.setFieldValue('scopes', scopes)}
            error={form.errors['scopes']}
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
