import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import type { Client } from '../../api/admin-records.js';
import { CopyIcon } from '../../ui/copy.js';
import type { Column } from '../../ui/data-table.js';
import { ProjectName } from '../../ui/project-name.js';
import { Time } from '../../ui/time.js';
import { Expiry, ScopeList } from './key-columns.js';

/** Columns of OAuth clients, for settings and the user page. */
export const clientColumns: Column<Omit<Client, 'mcp_tools'>>[] = [
  {
    title: 'Name',
    render: ({ name, client_id, revoked_at, expires_at }) => (
      <div>
        <Group gap={8}>
          <Text size="sm" fw={550}>
            <bdi>{name}</bdi>
          </Text>
          {revoked_at !== null && <Badge color="gray">Revoked</Badge>}
          {revoked_at === null && expires_at !== null && new Date(expires_at) <= new Date() && (
            <Badge color="gray">Expired</Badge>
          )}
        </Group>
        <Group gap={2} wrap="nowrap">
          <Text size="xs" c="dimmed" ff="monospace" title={client_id} style={{ whiteSpace: 'nowrap' }}>
            {client_id.slice(0, 16)}…
          </Text>
          <CopyIcon value={client_id} label="client ID" />
        </Group>
      </div>
    ),
  },
  {
    title: 'Redirect URIs',
    render: ({ redirect_uris }) => (
      <Stack gap={3} align="flex-start">
        {redirect_uris.length === 0 && '—'}
        {redirect_uris.map((uri) => (
          <Code key={uri} style={{ overflowWrap: 'anywhere' }}>
            {uri}
          </Code>
        ))}
      </Stack>
    ),
  },
  {
    title: 'Grant types',
    render: ({ redirect_uris }) =>
      redirect_uris.length === 0 ? 'Client credentials' : 'Authorization code, client credentials',
  },
  { title: 'Permissions', render: ({ scopes }) => <ScopeList scopes={scopes} /> },
  { title: 'Project', render: ({ project }) => <ProjectName id={project} /> },
  { title: 'Expires', render: (client) => <Expiry {...client} /> },
  { title: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} none="Never" /> },
];
