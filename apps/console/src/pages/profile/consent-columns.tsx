import type { Consent } from '../../api/records.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Time } from '../../ui/time.js';
import { ScopeList } from '../settings/key-columns.js';

/** An app that may act for somebody. */
export const consentColumns: Column<Consent>[] = [
  {
    title: 'App',
    render: ({ client_name, client_host, client_id }) => (
      <NamedCell name={client_name} text={client_host ?? client_id} />
    ),
  },
  { title: 'Permissions', render: ({ scopes }) => <ScopeList scopes={scopes} /> },
  { title: 'Allowed', render: ({ granted_at }) => <Time at={granted_at} /> },
];
