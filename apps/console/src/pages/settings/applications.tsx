import { Badge, Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Application, List } from '../../api/admin-records.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Filters, FilterSelect, noResults } from '../../ui/filters.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Pager } from '../../ui/pager.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';

/** OAuth clients of all users. An admin approves clients here; the consent page warns about clients without approval. */
export function Applications() {
  const { values, page, set } = useUrlState(['app', 'approval']);
  const applications = useQuery({
    ...resource<List<Application>>('/applications', {
      search: values.app,
      approval: values.approval,
      page,
      per_page: 25,
    }),
    placeholderData: keepPreviousData,
  });
  const approve = useAction((id: string) => send('POST', `/applications/${id}/approve`), {
    refresh: [['applications']],
    done: 'The client is approved.',
  });
  const withdraw = useAction((id: string) => send('DELETE', `/applications/${id}/approval`), {
    refresh: [['applications']],
    done: 'The client is not approved any more.',
  });
  const askToApprove = ({ id, name, redirect_uris }: Application) =>
    confirm({
      title: 'Approve this client?',
      text: (
        <>
          Users will see that an administrator approved <bdi>{name}</bdi>, which sends them to{' '}
          {redirect_uris.join(', ')}. The approval ends when its name, redirect URIs or permissions change.
        </>
      ),
      action: 'Approve client',
      work: () => approve.mutateAsync(id),
    });
  return (
    <Section
      title="Clients of all users"
      text="The consent page warns about clients that neither the user nor an administrator made or approved."
      flush
    >
      <Filters label="Filter clients" isInset>
        <SearchField
          label="Search by name or client ID"
          value={values.app}
          onSearch={(app) => set({ app }, { isTyping: true })}
        />
        <FilterSelect
          label="Approval"
          value={values.approval}
          options={{ unverified: 'Not verified', approved: 'Approved' }}
          onChange={(approval) => set({ approval })}
        />
      </Filters>
      <DataTable
        label="Clients of all users"
        columns={[
          ...COLUMNS,
          {
            title: 'Actions',
            isActions: true,
            render: (application: Application) =>
              application.approved_at === null ? (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => askToApprove(application)}
                  aria-label={`Approve ${application.name}`}
                >
                  Approve
                </Button>
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={withdraw.isPending && withdraw.variables === application.id}
                  onClick={() => withdraw.mutate(application.id)}
                  aria-label={`Withdraw the approval of ${application.name}`}
                >
                  Withdraw approval
                </Button>
              ),
          },
        ]}
        query={applications}
        rowKey={({ id }) => id}
        empty={
          values.app === '' && values.approval === ''
            ? { title: 'No clients yet', text: 'Clients that users create appear here.' }
            : noResults(() => set({ app: null, approval: null }))
        }
      />
      <Pager list={applications.data} onPage={(next) => set({ page: next })} />
    </Section>
  );
}

const COLUMNS: Column<Application>[] = [
  { title: 'Name', render: ({ name, client_id }) => <NamedCell name={name} text={client_id} /> },
  {
    title: 'Made by',
    render: ({ owner }) => (owner === null ? 'Itself' : <NamedCell name={owner.name} text={owner.email} />),
  },
  { title: 'Redirect URIs', render: ({ redirect_uris }) => redirect_uris.join(', ') || '—' },
  {
    title: 'Status',
    render: ({ owner, made_by_key, approved_at, approved_by }) => {
      if (approved_at !== null) return <Badge title={`By ${approved_by ?? ''}`}>Approved</Badge>;
      const isVouched = owner?.role === 'admin' && !made_by_key;
      return isVouched ? 'Made by an administrator' : <Badge color="orange">Not verified</Badge>;
    },
  },
  { title: 'Last used', render: ({ last_used_at }) => <Time at={last_used_at} none="Never" /> },
  { title: 'Created', render: ({ created_at }) => <Time at={created_at} /> },
];
