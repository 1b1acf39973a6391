import { Button, Code } from '@mantine/core';
import { IconBook, IconDownload, IconTrash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { areaResource, askArea, callArea } from '../../api/areas.js';
import type { StoredFile, StoredFiles } from '../../api/runtime-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { confirm } from '../../ui/confirm.js';
import { CopyIcon } from '../../ui/copy.js';
import { CurlButton } from '../../ui/curl.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { countText, sizeText } from '../../ui/figures.js';
import { Filters, noResults } from '../../ui/filters.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { Pager } from '../../ui/pager.js';
import { saveFile } from '../../ui/save-file.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { DropZone } from './drop-zone.js';
import { KnowledgeSearch } from './knowledge-search.js';
import { Knowledge, useKnowledge } from './knowledge.js';
import { KnowledgeSources } from './knowledge-sources.js';
import { UploadButton, UploadList, useUploads } from './uploads.js';

const PER_PAGE = 25;
const PATH = '/api/v1/files';
/** Shortens an id but keeps its end, because the beginning is a timestamp that many ids share. */
const shortId = (id: string) => `${id.slice(0, 6)}…${id.slice(-6)}`;

function FilesPage() {
  const { values, page, set } = useUrlState(['search']);
  const { uploads, start, remove } = useUploads();
  const { askForTags } = useKnowledge();
  const files = useQuery({
    ...areaResource<StoredFiles>('runtime', PATH, {
      search: values.search,
      limit: PER_PAGE,
      offset: (page - 1) * PER_PAGE,
    }),
    placeholderData: keepPreviousData,
  });
  const download = useAction(async ({ id, path }: StoredFile) =>
    saveFile(await (await callArea('runtime', 'GET', `${PATH}/${id}`)).blob(), path.split('/').at(-1) ?? id),
  );
  const discard = useAction((id: string) => askArea('runtime', 'DELETE', `${PATH}/${id}`), {
    refresh: QUERY_KEYS.files,
    done: 'File deleted.',
  });
  const askToDelete = ({ id, path }: StoredFile) =>
    confirm({
      title: 'Delete this file?',
      text: (
        <>
          <bdi>{path}</bdi> is deleted. Links to its ID stop working. This cannot be undone.
        </>
      ),
      action: 'Delete',
      work: () => discard.mutateAsync(id),
    });
  const columns: Column<StoredFile>[] = [
    { title: 'Path', render: ({ path }) => <NamedCell name={path} /> },
    {
      title: 'ID',
      render: ({ id }) => (
        <span style={{ display: 'inline-flex', alignItems: 'center' }}>
          <Code>{shortId(id)}</Code>
          <CopyIcon value={id} label={`ID ${id}`} />
        </span>
      ),
    },
    { title: 'Type', render: ({ content_type }) => content_type },
    { title: 'Size', align: 'right', render: ({ size }) => sizeText(size) },
    { title: 'Uploaded', render: ({ created_at }) => <Time at={created_at} /> },
    {
      title: 'Actions',
      isActions: true,
      render: (file) => (
        <>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconBook size={13} />}
            onClick={() => askForTags(file)}
            aria-label={`Use ${file.path} as knowledge`}
          >
            Use as knowledge
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconDownload size={13} />}
            onClick={() => download.mutate(file)}
            loading={download.isPending && download.variables.id === file.id}
            aria-label={`Download ${file.path}`}
          >
            Download
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconTrash size={13} />}
            onClick={() => askToDelete(file)}
            aria-label={`Delete ${file.path}`}
          >
            Delete
          </Button>
        </>
      ),
    },
  ];
  const isEmpty = files.data?.total === 0 && values.search === '';
  const list = files.data && { total: files.data.total, page, per_page: PER_PAGE };
  return (
    <>
      <PageHeader
        title="Files"
        text="Files that your programs upload and read by the API, and that agents search once they are used as knowledge."
        actions={
          <>
            <CurlButton
              area="runtime"
              calls={[
                {
                  title: 'Upload a file',
                  method: 'POST',
                  path: PATH,
                  options: '-F path=reports/2026.pdf -F file=@2026.pdf',
                },
                { title: 'List files', path: PATH },
              ]}
            />
            {!isEmpty && <UploadButton onChoose={start} />}
          </>
        }
      />
      <UploadList uploads={uploads} remove={remove} />
      <Filters label="Filter files">
        <SearchField
          label="Search by path"
          value={values.search}
          onSearch={(search) => set({ search }, { isTyping: true })}
        />
      </Filters>
      <DropZone onDrop={(files) => files.forEach(start)}>
        <Section
          title={files.data ? countText(files.data.total, 'file') : 'Files'}
          text="Drop files here to upload them. Up to 50 MiB each by default."
          flush
        >
          <DataTable
            label="Files"
            columns={columns}
            query={files}
            rowKey={({ id }) => id}
            empty={
              values.search !== ''
                ? noResults(() => set({ search: null }), `No files match “${values.search}”`)
                : {
                    title: 'No files yet',
                    text: 'Upload them here, or from a program through the API.',
                    action: <UploadButton onChoose={start} />,
                  }
            }
          />
          <Pager list={list} onPage={(next) => set({ page: next })} />
        </Section>
      </DropZone>
      <Knowledge />
      <KnowledgeSources />
      <KnowledgeSearch />
    </>
  );
}

export { FilesPage as Component };
