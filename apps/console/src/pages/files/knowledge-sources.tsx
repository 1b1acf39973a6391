import { Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaResource, askArea } from '../../api/areas.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { KnowledgeSource, KnowledgeSourceList } from '../../api/runtime-records.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { closeDialog, openDialog } from '../../ui/dialogs.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Pager } from '../../ui/pager.js';
import { Section } from '../../ui/section.js';
import { TagList } from '../../ui/tag-list.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { EditSourceForm, NewSourceForm } from './source-form.js';

const PER_PAGE = 10;
const SOURCES_PATH = '/api/v1/knowledge-sources';

const STATES: Record<KnowledgeSource['state'], { label: string; color: string }> = {
  waiting: { label: 'Waiting', color: 'gray' },
  fetching: { label: 'Fetching', color: 'yellow' },
  ready: { label: 'Ready', color: 'mill' },
  failed: { label: 'Failed', color: 'red' },
};

const isUnderWay = ({ state }: KnowledgeSource) => state === 'waiting' || state === 'fetching';

const refresh = [...QUERY_KEYS.knowledgeSources, ...QUERY_KEYS.content];

const openNew = () => {
  const modalId = openDialog({ title: 'Add URL', children: <NewSourceForm close={() => closeDialog(modalId)} /> });
};
const openEdit = ({ id }: KnowledgeSource) => {
  const modalId = openDialog({
    title: 'Edit source',
    children: <EditSourceForm id={id} close={() => closeDialog(modalId)} />,
  });
};

const AddButton = () => (
  <Button size="compact-sm" variant="default" leftSection={<IconPlus size={13} />} onClick={openNew}>
    Add URL
  </Button>
);

/** The knowledge sources that agents search: pages and documents at URLs, each with the state of its last fetch. */
export function KnowledgeSources() {
  const { values, page: filesPage, set } = useUrlState(['sources']);
  const page = Math.max(1, Math.trunc(Number(values.sources)) || 1);
  const query = useQuery({
    ...areaResource<KnowledgeSourceList>('runtime', SOURCES_PATH, { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? 1_000 : false),
  });
  const fetchNow = useAction((id: string) => askArea('runtime', 'POST', `${SOURCES_PATH}/${id}/refresh`), { refresh });
  const remove = useAction((id: string) => askArea('runtime', 'DELETE', `${SOURCES_PATH}/${id}`), {
    refresh,
    done: 'Source deleted.',
  });
  const askToDelete = ({ id, name }: KnowledgeSource) =>
    confirm({
      title: 'Delete this source?',
      text: (
        <>
          Agents no longer find passages of <bdi>{name}</bdi>. This cannot be undone.
        </>
      ),
      action: 'Delete',
      work: () => remove.mutateAsync(id),
    });
  const columns: Column<KnowledgeSource>[] = [
    {
      title: 'Source',
      render: ({ name, url, failure }) => <NamedCell name={name} text={url} failure={failure?.message} />,
    },
    { title: 'State', render: ({ state }) => <Badge color={STATES[state].color}>{STATES[state].label}</Badge> },
    { title: 'Passages', align: 'right', render: ({ passages }) => passages.toLocaleString('en') },
    { title: 'Tags', render: ({ tags }) => <TagList tags={tags} /> },
    {
      title: 'Last fetched',
      render: ({ last_fetched_at: at }) => (at === null ? 'Never' : <Time at={at} />),
    },
    {
      title: 'Next',
      render: ({ next_fetch_at: at, state }) =>
        at === null ? state === 'fetching' ? 'Now' : 'By hand' : <Time at={at} />,
    },
    {
      title: 'Actions',
      isActions: true,
      render: (source) => (
        <>
          <Button
            size="compact-sm"
            variant="default"
            disabled={isUnderWay(source)}
            onClick={() => fetchNow.mutate(source.id)}
            loading={fetchNow.isPending && fetchNow.variables === source.id}
            aria-label={`Refresh ${source.name}`}
          >
            Refresh
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => openEdit(source)}
            aria-label={`Edit ${source.name}`}
          >
            Edit
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => askToDelete(source)}
            aria-label={`Delete ${source.name}`}
          >
            Delete
          </Button>
        </>
      ),
    },
  ];
  return (
    <Section
      title="Knowledge sources"
      text="Pages and documents at URLs whose passages searches and agents find. Links on a page are not followed."
      actions={<AddButton />}
      flush
    >
      <DataTable
        label="Knowledge sources"
        columns={columns}
        query={query}
        rowKey={({ id }) => id}
        empty={
          page > 1
            ? { title: 'No sources on this page', text: 'Go back to the first page.' }
            : { title: 'No sources yet', text: 'Add the URL of a page or document that agents are to search.' }
        }
      />
      <Pager
        list={query.data && { total: query.data.total, page, per_page: PER_PAGE }}
        onPage={(next) => set({ sources: next === 1 ? null : next, page: filesPage })}
      />
    </Section>
  );
}
