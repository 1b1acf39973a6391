import { Badge, Button, Stack, TagsInput, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import { areaResource, askArea } from '../../api/areas.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { FileKnowledge, KnowledgeList, StoredFile } from '../../api/runtime-records.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { closeDialog, openDialog } from '../../ui/dialogs.js';
import { NamedCell } from '../../ui/named-cell.js';
import { Pager } from '../../ui/pager.js';
import { Section } from '../../ui/section.js';
import { TagList } from '../../ui/tag-list.js';
import { Time } from '../../ui/time.js';
import { Failure } from '../../ui/failure.js';
import { useAction } from '../../ui/use-action.js';
import { useUrlState } from '../../ui/use-url-state.js';

const PER_PAGE = 10;
const pathOf = (fileId: string) => `/api/v1/files/${fileId}/knowledge`;

const STATES: Record<FileKnowledge['state'], { label: string; color: string }> = {
  waiting: { label: 'Waiting', color: 'gray' },
  indexing: { label: 'Indexing', color: 'yellow' },
  ready: { label: 'Ready', color: 'mill' },
  failed: { label: 'Failed', color: 'red' },
};

const isUnderWay = ({ state }: FileKnowledge) => state === 'waiting' || state === 'indexing';

/** Returns the actions that let agents search a file, or end this. */
export function useKnowledge() {
  const use = useAction(
    ({ fileId, tags }: { fileId: string; tags: string[] }) =>
      askArea<FileKnowledge>('runtime', 'PUT', pathOf(fileId), { tags }),
    { refresh: [...QUERY_KEYS.knowledge, ...QUERY_KEYS.content] },
  );
  const stop = useAction((fileId: string) => askArea('runtime', 'DELETE', pathOf(fileId)), {
    refresh: [...QUERY_KEYS.knowledge, ...QUERY_KEYS.content],
    done: 'No longer used as knowledge.',
  });

  function askForTags({ id, path }: Pick<StoredFile, 'id' | 'path'>, tags: string[] = []): void {
    const modalId = openDialog({
      title: 'Use as knowledge',
      children: (
        <TagsForm
          path={path}
          tags={tags}
          close={() => closeDialog(modalId)}
          work={(chosen) => use.mutateAsync({ fileId: id, tags: chosen })}
        />
      ),
    });
  }
  return { askForTags, stop };
}

interface TagsFormProps {
  path: string;
  tags: string[];
  close: () => void;
  /** The function must show its failures itself. After a failure, the dialog stays open. */
  work: (tags: string[]) => Promise<unknown>;
}

function TagsForm({ path, tags: initial, close, work }: TagsFormProps) {
  const [tags, setTags] = useState(initial);
  const [isWorking, setWorking] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setWorking(true);
    work(tags)
      .then(close, () => undefined)
      .finally(() => setWorking(false));
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          The text of <bdi>{path}</bdi> is read in the background and cut into passages. PDF, DOCX, HTML, Markdown and
          text up to 20 MiB.
        </Text>
        <TagsInput
          label="Tags"
          description="Agents with any of these tags can search this."
          placeholder={tags.length === 0 ? 'Type a tag, press Enter' : ''}
          maxTags={50}
          value={tags}
          onChange={setTags}
          data-autofocus
        />
        <DialogActions close={close} isWorking={isWorking}>
          Index file
        </DialogActions>
      </Stack>
    </form>
  );
}

/** The files that agents search, each with its state. Renders nothing when there are no such files. */
export function Knowledge() {
  const { values, page: filesPage, set } = useUrlState(['knowledge']);
  const page = Math.max(1, Math.trunc(Number(values.knowledge)) || 1);
  const { askForTags, stop } = useKnowledge();
  const query = useQuery({
    ...areaResource<KnowledgeList>('runtime', '/api/v1/knowledge', { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? 1_000 : false),
  });
  if (query.error && !query.data)
    return (
      <Section title="Knowledge">
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Section>
    );
  if (!query.data?.total) return null;
  const askToStop = ({ file_id, path }: FileKnowledge) =>
    confirm({
      title: 'Stop using this file as knowledge?',
      text: (
        <>
          Agents no longer find passages of <bdi>{path}</bdi>. The file stays.
        </>
      ),
      action: 'Stop using',
      work: () => stop.mutateAsync(file_id),
    });
  const columns: Column<FileKnowledge>[] = [
    {
      title: 'File',
      render: ({ path, failure }) => <NamedCell name={path} failure={failure?.message} />,
    },
    { title: 'State', render: ({ state }) => <Badge color={STATES[state].color}>{STATES[state].label}</Badge> },
    { title: 'Passages', align: 'right', render: ({ passages }) => passages.toLocaleString('en') },
    { title: 'Tags', render: ({ tags }) => <TagList tags={tags} /> },
    { title: 'Updated', render: ({ updated_at }) => <Time at={updated_at} /> },
    {
      title: 'Actions',
      isActions: true,
      render: (item) => (
        <>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => askForTags({ id: item.file_id, path: item.path }, item.tags)}
            aria-label={`Index ${item.path} again`}
          >
            Index again
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => askToStop(item)}
            aria-label={`Stop using ${item.path} as knowledge`}
          >
            Stop using
          </Button>
        </>
      ),
    },
  ];
  return (
    <Section title="Knowledge" text="Files whose passages searches and agents find." flush>
      <DataTable
        label="Knowledge"
        columns={columns}
        query={query}
        rowKey={({ file_id }) => file_id}
        empty={{ title: 'No files on this page', text: 'Go back to the first page.' }}
      />
      <Pager
        list={{ total: query.data.total, page, per_page: PER_PAGE }}
        onPage={(next) => set({ knowledge: next === 1 ? null : next, page: filesPage })}
      />
    </Section>
  );
}
