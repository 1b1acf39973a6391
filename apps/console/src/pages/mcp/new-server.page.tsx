import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { McpServer } from '../../api/platform-records.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { useAction } from '../../ui/use-action.js';
import { REFRESH } from './refresh.js';
import { ServerForm, type ServerFields } from './server-form.js';

const EMPTY: ServerFields = {
  name: '',
  url: '',
  description: '',
  headers: {},
  auth: { type: 'none' },
  pin_tools: true,
  status: 'active',
};

function NewServerPage() {
  const navigate = useNavigate();
  const register = useAction(
    ({ server }: { server: ServerFields; saved: () => void }) =>
      // A new server is active: the API does not take a status for it.
      askArea<McpServer>('platform', 'POST', '/api/v1/mcp/servers', { ...server, status: undefined }),
    {
      refresh: REFRESH,
      done: 'It is registered. Its tools are being read.',
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/build/mcp/${id}`);
      },
    },
  );
  return (
    <>
      <BackLink to="/build/mcp">MCP servers</BackLink>
      <PageHeader
        title="Register an MCP server"
        text="Its tools of now count as approved by you. What changes later waits for an administrator."
      />
      <ServerForm
        server={EMPTY}
        isNew
        isSaving={register.isPending}
        onSave={(server, saved) => register.mutate({ server, saved })}
      />
    </>
  );
}

export { NewServerPage as Component };
