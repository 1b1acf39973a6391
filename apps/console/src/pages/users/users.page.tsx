import { Badge, Button, Group, Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { resource } from '../../api/api.js';
import type { List, User } from '../../api/records.js';
import { countText } from '../../ui/figures.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { FilterSelect } from '../../ui/filter-select.js';
import { Filters } from '../../ui/filters.js';
import { PageHeader } from '../../ui/page-header.js';
import { Pager } from '../../ui/pager.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { NewUser } from './new-user.js';
import { UserBadges } from './user-badges.js';

const COLUMNS: Column<User>[] = [
  {
    title: 'Name',
    render: ({ name, email }) => (
      <div>
        <Text size="sm" fw={550}>
          <bdi>{name}</bdi>
        </Text>
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </div>
    ),
  },
  {
    title: 'Role',
    render: (user) => (
      <Group gap={4}>
        <UserBadges user={user} />
      </Group>
    ),
  },
  { title: 'Project', render: ({ project }) => project },
  {
    title: 'Passkeys',
    align: 'right',
    render: ({ passkeys }) => (passkeys === 0 ? <Badge color="orange">None yet</Badge> : passkeys),
  },
  { title: 'Last seen', render: ({ last_seen_at }) => <Time at={last_seen_at} /> },
  { title: 'Created', render: ({ created_at }) => <Time at={created_at} /> },
];

function UsersPage() {
  const { values, page, set } = useUrlState(['search', 'status', 'role', 'project', 'sort']);
  const [isCreating, setCreating] = useState(false);
  const [sort, order] = (values.sort || 'created_at.desc').split('.');
  const users = useQuery({
    ...resource<List<User>>('/users', {
      search: values.search,
      status: values.status,
      role: values.role,
      project: values.project,
      sort,
      order,
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
        text="Everyone who has an account here."
        actions={
          <Button leftSection={<IconUserPlus size={16} />} onClick={() => setCreating(true)}>
            New user
          </Button>
        }
      />
      <Filters label="Filter users">
        <SearchField
          label="Search by name or email"
          value={values.search}
          onSearch={(search) => set({ search }, { isTyping: true })}
        />
        <FilterSelect
          label="Status"
          value={values.status}
          options={{ active: 'Active', inactive: 'Inactive' }}
          onChange={(status) => set({ status })}
        />
        <FilterSelect
          label="Role"
          value={values.role}
          options={{ user: 'Users', admin: 'Administrators' }}
          onChange={(role) => set({ role })}
        />
        <FilterSelect
          label="Project"
          value={values.project}
          options={{ Core: 'Core', Commerce: 'Commerce' }}
          onChange={(project) => set({ project })}
        />
        <FilterSelect
          label="Order"
          all="Newest first"
          value={values.sort}
          options={{ 'created_at.asc': 'Oldest first', 'name.asc': 'By name', 'email.asc': 'By email' }}
          onChange={(next) => set({ sort: next })}
        />
      </Filters>
      <Section title={users.data ? countText(users.data.total, 'account') : 'Accounts'} flush>
        <DataTable
          label="Users"
          columns={COLUMNS}
          query={users}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/access/users/${id}`}
          isFaded={({ status }) => status === 'inactive'}
          empty={
            isFiltered
              ? { title: 'Nobody fits', text: 'Try another word, or fewer filters.' }
              : {
                  title: 'No user yet',
                  text: 'Create the first account.',
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
