import { useState } from 'react';
import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { McpServer } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { showFailure, useAction, type OnFaults } from '../../ui/use-action.js';
import { FormColumn } from '../record/record-columns.js';
import { RegistryPicker, type ServerDraft } from './registry-picker.js';
import { ServerForm, type ServerFields } from './server-form.js';

const EMPTY: ServerFields = {
  name: '',
  url: '',
  description: '',
  headers: {},
  auth: { type: 'none' },
  transport: 'streamable-http',
  agent_card: null,
  pin_tools: true,
  status: 'active',
};

/** Fills the form with the values from a registry. The user still replaces placeholders in braces and enters secrets. */
const draftFields = ({ name, description, url, headers }: ServerDraft): ServerFields => ({
  ...EMPTY,
  ...{ name, description, url },
  headers: Object.fromEntries(headers.map((header) => [header.name, header.value])),
});

function NewServerPage() {
  const navigate = useNavigate();
  const [draft, setDraft] = useState<ServerDraft>();
  const register = useAction(
    ({ server }: { server: ServerFields; saved: () => void; onFaults: OnFaults }) =>
      // The API accepts no status here: a new server is active.
      askArea<McpServer>('platform', 'POST', '/api/v1/mcp/servers', { ...server, status: undefined }),
    {
      refresh: QUERY_KEYS.mcpServers,
      done: 'Server added. Loading its tools.',
      onError: (error, { onFaults }, toast) => showFailure(error, toast, onFaults),
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/build/mcp/${id}`);
      },
    },
  );
  return (
    <FormColumn>
      <BackLink to="/build/mcp">MCP servers</BackLink>
      <PageHeader
        title="Add MCP server"
        text="Tools found now are approved. New or changed tools need review. An agent of another system is one tool: a message to it."
      />
      <RegistryPicker onChoose={setDraft} />
      <ServerForm
        key={draft?.url}
        server={draft ? draftFields(draft) : EMPTY}
        isNew
        isSaving={register.isPending}
        onSave={(server, form) => register.mutate({ server, ...form })}
      />
    </FormColumn>
  );
}

export { NewServerPage as Component };
