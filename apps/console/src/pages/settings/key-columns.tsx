import { Badge, Group, Text, Tooltip } from '@mantine/core';
import type { Key } from '../../api/admin-records.js';
import type { Column } from '../../ui/data-table.js';
import { ProjectName } from '../../ui/project-name.js';
import { exactTime, Time } from '../../ui/time.js';

const SOON_MS = 14 * 86_400_000;
const RATES: Readonly<Record<string, string>> = { standard: '100/min', professional: '500/min' };

/** Whether a live key expires within 14 days. */
export function expiresSoon({ expires_at, revoked_at }: Pick<Key, 'expires_at' | 'revoked_at'>): boolean {
  if (expires_at === null || revoked_at !== null) return false;
  const left = new Date(expires_at).getTime() - Date.now();
  return left > 0 && left < SOON_MS;
}

/** Formats a date: "Nov 28, 2026". */
export const dayText = (day: Date) => day.toLocaleDateString('en', { day: 'numeric', month: 'short', year: 'numeric' });

function State({ expires_at, revoked_at, successor_id }: Key) {
  if (revoked_at !== null) return <Badge color="gray">Revoked</Badge>;
  if (expires_at !== null && new Date(expires_at) <= new Date()) return <Badge color="gray">Expired</Badge>;
  return successor_id === null ? null : <Badge color="orange">Rotated</Badge>;
}

/** The day on which a key or client expires. */
export function Expiry({ expires_at, revoked_at }: Pick<Key, 'expires_at' | 'revoked_at'>) {
  if (expires_at === null) return 'Never';
  return (
    <div>
      <time dateTime={expires_at} title={exactTime(expires_at)} style={{ whiteSpace: 'nowrap' }}>
        {dayText(new Date(expires_at))}
      </time>
      {expiresSoon({ expires_at, revoked_at }) && (
        <div>
          <Badge color="orange">Expires soon</Badge>
        </div>
      )}
    </div>
  );
}

/** The first scopes, and the number of the other scopes. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const shown = scopes.slice(0, 3);
  const rest = scopes.slice(3);
  return (
    <Group gap={4}>
      {shown.map((scope) => (
        <Badge key={scope} color={scope === '*' ? 'orange' : 'gray'}>
          {scope === '*' ? 'Full access' : scope}
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

/** Columns of keys and tokens, for settings and the user page. */
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
          </Group>
          <Text size="xs" c="dimmed" ff="monospace" style={{ whiteSpace: 'nowrap' }}>
            {key.prefix}…
          </Text>
        </div>
      ),
    },
  ];
  if (kind === undefined) {
    own.push({ title: 'Type', render: (key) => (key.kind === 'pat' ? 'Access token' : 'API key') });
  }
  if (kind !== 'pat') {
    own.push(
      { title: 'Permissions', render: ({ scopes }) => <ScopeList scopes={scopes} /> },
      { title: 'Project', render: ({ project }) => <ProjectName id={project} /> },
      { title: 'Rate limit', render: ({ plan }) => RATES[plan] ?? plan },
    );
  }
  return [
    ...own,
    { title: 'Created', render: ({ created_at }) => <Time at={created_at} /> },
    { title: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} none="Never" /> },
    { title: 'Expires', render: (key) => <Expiry {...key} /> },
  ];
}
