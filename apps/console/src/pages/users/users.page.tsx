import { Button } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resource } from '../../api/api.js';
import type { List, User } from '../../api/admin-records.js';
import { useProjects } from '../../api/projects.js';
import { useHasRole } from '../../api/roles.js';
import { limitedCountText } from '../../ui/figures.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { Filters, FilterSelect, noResults } from '../../ui/filters.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { Pager } from '../../ui/pager.js';
import { ProjectName } from '../../ui/project-name.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { sortedBy, sortingOf, sortingText } from '../../ui/sorting.js';
import { Time } from '../../ui/time.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { usageColumns } from '../usage/usage-columns.js';
import { useRecentUsage } from '../usage/use-recent-usage.js';
import { NewUser } from './new-user.js';
import { PlatformAdminRequests } from './platform-admin-requests.js';
import { AccountStatus, RoleBadge, ROLES } from '../../ui/user-badges.js';

const COLUMNS: Column<User>[] = [
  { title: 'Name', sort: 'name', render: ({ name, email }) => <NamedCell name={name} text={email} /> },
  { title: 'Role', render: (user) => <RoleBadge user={user} /> },
  { title: 'Status', render: (user) => <AccountStatus account={user} /> },
  { title: 'Project', render: ({ project }) => <ProjectName id={project} /> },
  { title: 'Last seen', render: ({ last_seen_at }) => <Time at={last_seen_at} none="Never" /> },
  { title: 'Created', sort: 'created_at', render: ({ created_at }) => <Time at={created_at} /> },
];

function UsersPage() {
  const { values, page, set } = useUrlState(['search', 'status', 'role', 'project', 'sort']);
  const isAdmin = useHasRole('admin');
  const projects = useProjects();
  const [isCreating, setCreating] = useState(false);
  const usage = useRecentUsage('user');
  const sorting = sortingOf(values.sort || 'created_at.desc');
  const users = useQuery({
    ...resource<List<User>>('/users', {
      search: values.search,
      status: values.status,
      role: values.role,
      project: values.project,
      sort: sorting.field,
      order: sorting.order,
      page,
      per_page: 25,
    }),
    placeholderData: keepPreviousData,
  });
  const isFiltered = [values.search, values.status, values.role, values.project].some((value) => value !== '');
  return (
    <>
      <PageHeader
        title="Users"
        text={isAdmin ? 'Everyone with an account on this installation.' : 'Everyone with an account in your project.'}
        actions={
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setCreating(true)}>
            New user
          </Button>
        }
      />
      <PlatformAdminRequests />
      <Filters label="Filter users">
        <SearchField
          label="Search by name or email"
          value={values.search}
          onSearch={(search) => set({ search }, { isTyping: true })}
        />
        <FilterSelect
          label="Status"
          value={values.status}
          options={{ active: 'Active', inactive: 'Disabled' }}
          onChange={(status) => set({ status })}
        />
        <FilterSelect label="Role" value={values.role} options={ROLES} onChange={(role) => set({ role })} />
        {isAdmin && (
          <FilterSelect
            label="Project"
            value={values.project}
            options={Object.fromEntries(projects.map(({ id, name }) => [id, name]))}
            onChange={(project) => set({ project })}
          />
        )}
        <FilterSelect
          label="Order"
          all="Newest first"
          value={values.sort === 'created_at.desc' ? '' : values.sort}
          options={{
            'created_at.asc': 'Oldest first',
            'name.asc': 'By name',
            'name.desc': 'By name, from Z',
            'email.asc': 'By email',
          }}
          onChange={(next) => set({ sort: next })}
        />
      </Filters>
      <Section title={users.data ? limitedCountText(users.data.total, 'user') : 'Users'} flush>
        <DataTable
          label="Users"
          columns={[...COLUMNS, ...usageColumns<User>(usage)]}
          query={users}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/access/users/${id}`}
          isFaded={({ status }) => status === 'inactive'}
          sorting={{ now: sorting, onSort: (field) => set({ sort: sortingText(sortedBy(field, sorting)) }) }}
          empty={
            isFiltered
              ? noResults(() => set({ search: null, status: null, role: null, project: null }))
              : {
                  title: 'No users yet',
                  text: 'Create the first user.',
                  action: <Button onClick={() => setCreating(true)}>New user</Button>,
                }
          }
        />
        <Pager list={users.data} onPage={(next) => set({ page: next })} />
      </Section>
      <NewUser opened={isCreating} close={() => setCreating(false)} />
    </>
  );
}

export { UsersPage as Component };
