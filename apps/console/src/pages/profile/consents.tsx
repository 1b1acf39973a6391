import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Consent, Items } from '../../api/admin-records.js';
import { ListSection } from '../../ui/list-section.js';
import { confirm } from '../../ui/confirm.js';
import type { Column, DataTableProps } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { ScopeList } from '../settings/key-columns.js';

const consentColumns: Column<Consent>[] = [
  {
    title: 'App',
    render: ({ client_name, client_host, client_id }) => (
      <NamedCell name={client_name} text={client_host ?? client_id} />
    ),
  },
  { title: 'Permissions', render: ({ scopes }) => <ScopeList scopes={scopes} /> },
  { title: 'Allowed', render: ({ granted_at }) => <Time at={granted_at} /> },
];

export function Consents() {
  const consents = useQuery(resource<Items<Consent>>('/consents'));
  return (
    <ConsentList text="Apps you allowed to act for you." query={consents} path="/consents" refresh={['consents']} />
  );
}

export interface ConsentListProps {
  text: string;
  query: DataTableProps<Consent>['query'];
  /** Path of the list of consents; a consent's path is `{path}/{id}`. */
  path: string;
  /** Key of the query that is loaded again after a change. */
  refresh: readonly string[];
}

/** The apps that may act for a user, and the button to revoke access. */
export function ConsentList({ text, query, path, refresh }: ConsentListProps) {
  const revoke = useAction((id: string) => send('DELETE', `${path}/${id}`), {
    refresh: [refresh],
    done: 'The app no longer has access.',
  });
  const askToRevoke = ({ id, client_name }: Consent) =>
    confirm({
      title: 'Revoke access?',
      text: (
        <>
          <bdi>{client_name}</bdi> is signed out of this account and has to ask again.
        </>
      ),
      action: 'Revoke access',
      work: () => revoke.mutateAsync(id),
    });
  return (
    <ListSection
      title="Connected apps"
      text={text}
      columns={[
        ...consentColumns,
        {
          title: 'Actions',
          isActions: true,
          render: (consent: Consent) => (
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => askToRevoke(consent)}
              aria-label={`Revoke access of ${consent.client_name}`}
            >
              Revoke access
            </Button>
          ),
        },
      ]}
      query={query}
      rowKey={({ id }) => id}
      empty={{ title: 'No apps' }}
    />
  );
}
