import { Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { send } from '../../api/api.js';
import { useProject } from '../../api/project.js';
import { useProjectOptions } from '../../api/projects.js';
import type { Client, IssuedClient, Me } from '../../api/admin-records.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { TextArea } from '../../ui/text-area.js';
import { linesOf, toolLinesFault } from '../../ui/tool-list.js';
import { useAction } from '../../ui/use-action.js';
import { ScopePicker } from './scope-picker.js';

export interface ClientFormProps {
  me: Me;
  /** The client to edit, or `new` for a new client. The form is closed while this is undefined. */
  edited: Client | 'new' | undefined;
  close: () => void;
  onIssued: (client: IssuedClient) => void;
}

export function ClientForm({ me, edited, close, onIssued }: ClientFormProps) {
  return (
    <Modal
      opened={edited !== undefined}
      onClose={close}
      title={edited === 'new' ? 'Create OAuth client' : 'Edit OAuth client'}
      size="lg"
    >
      {edited !== undefined && <Fields me={me} edited={edited} close={close} onIssued={onIssued} />}
    </Modal>
  );
}

interface Values {
  name: string;
  redirects: string;
  project: string;
  scopes: string[];
  tools: string;
}

function Fields({ me, edited, close, onIssued }: ClientFormProps & { edited: Client | 'new' }) {
  const client = edited === 'new' ? undefined : edited;
  const current = useProject();
  const projects = useProjectOptions();
  const form = useForm<Values>({
    initialValues: {
      name: client?.name ?? '',
      redirects: client?.redirect_uris.join('\n') ?? '',
      project: me.is_admin ? current : me.project,
      scopes: [],
      tools: client?.mcp_tools.join('\n') ?? '*',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      redirects: (text) => {
        const wrong = linesOf(text).find((line) => !URL.canParse(line));
        return wrong === undefined ? null : `${wrong} is not a URL.`;
      },
      tools: toolLinesFault,
      scopes: (scopes) => (client || scopes.length > 0 ? null : 'Choose at least one permission.'),
    },
  });
  const save = useAction(
    async ({ name, redirects, tools, project, scopes }: typeof form.values) => {
      const fields = { name: name.trim(), redirect_uris: linesOf(redirects), mcp_tools: linesOf(tools) };
      if (client) {
        await send('PATCH', `/clients/${client.client_id}`, fields);
        return undefined;
      }
      return send<IssuedClient>('POST', '/clients', { ...fields, scopes, ...(me.is_admin && { project }) });
    },
    {
      refresh: [['clients']],
      onDone: (issued) => {
        close();
        if (issued) onIssued(issued);
      },
    },
  );
  return (
    <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
      <Stack gap="md">
        <TextInput label="Name" maxLength={200} autoComplete="off" data-autofocus {...form.getInputProps('name')} />
        <TextArea
          label="Redirect URIs"
          description="One per line. Leave empty for client credentials."
          placeholder="https://app.example.com/callback"
          minRows={2}
          maxRows={8}
          {...form.getInputProps('redirects')}
        />
        <TextArea
          label="MCP tools"
          description="One per line: * for all tools, server/* for one server, server/tool for one tool."
          minRows={1}
          maxRows={8}
          {...form.getInputProps('tools')}
        />
        {!client && me.is_admin && <NativeSelect label="Project" data={projects} {...form.getInputProps('project')} />}
        {!client && (
          <ScopePicker
            value={form.values.scopes}
            onChange={(scopes) => form.setFieldValue('scopes', scopes)}
            error={form.errors['scopes']}
          />
        )}
        <DialogActions close={close} isWorking={save.isPending}>
          {client ? 'Save' : 'Create client'}
        </DialogActions>
      </Stack>
    </form>
  );
}
