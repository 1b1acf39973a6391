import { Modal, NativeSelect, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { send } from '../../api/api.js';
import { useProject } from '../../api/project.js';
import { useProjectOptions } from '../../api/projects.js';
import type { IssuedKey, Key, Me } from '../../api/admin-records.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { useAction } from '../../ui/use-action.js';
import { daysOf, DEFAULT_EXPIRY, ExpirySelect } from './expiry-select.js';
import { ScopePicker } from './scope-picker.js';

const PLANS = [
  { value: 'standard', label: '100 requests per minute' },
  { value: 'professional', label: '500 requests per minute' },
];

export interface NewKeyProps {
  kind: Key['kind'];
  me: Me;
  opened: boolean;
  /** Scopes that are chosen at first. */
  scopes?: string[];
  close: () => void;
  onIssued: (key: IssuedKey) => void;
}

export function NewKey({ opened, ...form }: NewKeyProps) {
  const { kind, close } = form;
  return (
    <Modal opened={opened} onClose={close} title={kind === 'pat' ? 'Create access token' : 'Create API key'} size="lg">
      <NewKeyForm {...form} />
    </Modal>
  );
}

interface Values {
  name: string;
  expires: string;
  plan: string;
  project: string;
  scopes: string[];
}

function NewKeyForm({ kind, me, scopes: suggested = [], close, onIssued }: Omit<NewKeyProps, 'opened'>) {
  const current = useProject();
  const projects = useProjectOptions();
  const form = useForm<Values>({
    initialValues: {
      name: '',
      expires: DEFAULT_EXPIRY,
      plan: 'standard',
      project: current,
      scopes: suggested,
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      scopes: (scopes) => (kind === 'api_key' && scopes.length === 0 ? 'Choose at least one permission.' : null),
    },
  });
  const create = useAction(
    ({ name, expires, plan, project, scopes }: typeof form.values) =>
      send<IssuedKey>('POST', '/keys', {
        kind,
        name: name.trim(),
        expires_in_days: daysOf(expires),
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
        <ExpirySelect value={form.values.expires} onChange={(expires) => form.setFieldValue('expires', expires)} />
        {kind === 'api_key' && me.is_admin && (
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NativeSelect label="Project" data={projects} {...form.getInputProps('project')} />
            <NativeSelect label="Rate limit" data={PLANS} {...form.getInputProps('plan')} />
          </SimpleGrid>
        )}
        {kind === 'api_key' && (
          <ScopePicker
            isKey
            value={form.values.scopes}
            onChange={(scopes) => form.setFieldValue('scopes', scopes)}
            error={form.errors['scopes']}
          />
        )}
        <DialogActions close={close} isWorking={create.isPending}>
          {kind === 'pat' ? 'Create token' : 'Create key'}
        </DialogActions>
      </Stack>
    </form>
  );
}
