import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { McpServer } from '../../api/platform-records.js';
import type { Addresses } from '../../api/admin-records.js';
import { Facts } from '../../ui/facts.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { CopyValue } from '../record/details.js';
import { AUTH_TYPES } from './auth-form.js';
import { Badge } from '@mantine/core';
import { StatusBadge } from '../../ui/status-badge.js';

const CARD_SIGNATURES = {
  verified: 'Signed, verified',
  unsigned: 'Not signed',
  invalid: 'Signature not valid',
  unread: 'Not read yet',
};

/** The server's address, and the address of its relay. An outside agent has no relay; the state of its agent card is shown instead. */
export function ServerDetails({ server }: { server: McpServer }) {
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  const { id, slug, url, auth, last_seen_at, agent_card: card } = server;
  const relay = addresses.data && `${addresses.data.runtime_url}/api/v1/mcp/${slug}/mcp`;
  return (
    <Section title="Connection">
      <Facts
        facts={[
          ['URL', <CopyValue key="url" value={url} label="URL" />],
          ...(card === null
            ? [
                [
                  'Relay endpoint',
                  relay === undefined ? '—' : <CopyValue key="relay" value={relay} label="relay endpoint" />,
                ] as const,
              ]
            : [['Card', CARD_SIGNATURES[card.signature ?? 'unread']] as const]),
          ['Authentication', AUTH_TYPES[auth.type]],
          ['Last reached', <Time key="reached" at={last_seen_at} none="Never" />],
          ['ID', <CopyValue key="id" value={id} label="ID" />],
        ]}
      />
    </Section>
  );
}

/** The status. An active server that was never reached is shown as "not connected yet". */
export function ServerStatus({ server: { status, last_seen_at } }: { server: McpServer }) {
  if (status === 'active' && last_seen_at === null) return <Badge color="orange">Not connected yet</Badge>;
  return <StatusBadge status={status} />;
}
