import { Badge, Group, Text, Tooltip } from '@mantine/core';
import type { Key } from '../../api/records.js';
import type { Column } from '../../ui/data-table.js';
import { Time } from '../../ui/time.js';

const SOON_MS = 14 * 86_400_000;
const isSoon = (at: string | null) => at !== null && new Date(at).getTime() - Date.now() < SOON_MS;

function State({ expires_at, revoked_at, successor_id }: Key) {
  if (revoked_at !== null) return <Badge color="gray">Revoked</Badge>;
  if (expires_at !== null && new Date(expires_at) <= new Date()) return <Badge color="gray">Expired</Badge>;
  if (successor_id !== null) return <Badge color="orange">Rotated</Badge>;
  return isSoon(expires_at) ? <Badge color="orange">Expires soon</Badge> : null;
}

/** The first few, and how many more there are. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const shown = scopes.slice(0, 3);
  const rest = scopes.slice(3);
  return (
    <Group gap={4}>
      {shown.map((scope) => (
        <Badge key={scope} color="gray">
          {scope === '*' ? 'Everything' : scope}
        </Badge>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.join(', ')} multiline maw={320}>
          <Badge color="gray" tabIndex={0}>
            +{rest.length}
          </Badge>
        </Tooltip>
      )}
    </Group>
  );
}

/** A key or token, one's own or another's. */
export function keyColumns(kind?: Key['kind']): Column<Key>[] {
  const own: Column<Key>[] = [
    {
      title: 'Name',
      render: (key) => (
        <div>
          <Group gap={8}>
            <Text size="sm" fw={550}>
              <bdi>{key.name}</bdi>
            </Text>
            <State {...key} />
            {key.plan === 'professional' && <Badge>Professional</Badge>}
          </Group>
          <Text size="xs" c="dimmed" ff="monospace">
            {key.prefix}…
          </Text>
        </div>
      ),
    },
  ];
  if (kind === undefined) {
    own.push({ title: 'Kind', render: (key) => (key.kind === 'pat' ? 'Access token' : 'API key') });
  }
  if (kind !== 'pat') {
    own.push(
      { title: 'Scopes', render: ({ scopes }) => <ScopeList scopes={scopes} /> },
      { title: 'Project', render: ({ project }) => project },
    );
  }
  return [
    ...own,
    { title: 'Created', render: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} /> },
    { title: 'Expires', render: ({ expires_at }) => <Time at={expires_at} /> },
  ];
}
