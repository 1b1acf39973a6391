import { Select, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { areaRecord, askArea, matching } from '../../api/areas.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { KnowledgeSource } from '../../api/runtime-records.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { Failure } from '../../ui/failure.js';
import { TextShape } from '../../ui/loading.js';
import { showFailure, useAction } from '../../ui/use-action.js';
import { useSave } from '../../ui/use-save.js';
import { ownZone } from '../triggers/trigger-text.js';

const PATH = '/api/v1/knowledge-sources';
const refresh = [...QUERY_KEYS.knowledgeSources, ...QUERY_KEYS.content];
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

interface SourceFields {
  name: string;
  url: string;
  tags: string[];
  /** Schedule of the fetches; empty when the source is fetched only at a user's request. */
  schedule: string;
  timezone: string;
}

type OnFaults = (faults: Readonly<Record<string, string>>) => boolean;

interface SourceFormProps {
  source: SourceFields;
  submit: string;
  isWorking: boolean;
  close: () => void;
  onSave: (fields: SourceFields, onFaults: OnFaults) => void;
}

function SourceForm({ source, submit, isWorking, close, onSave }: SourceFormProps) {
  const form = useForm({
    initialValues: source,
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      url: (url) => (/^https?:\/\//i.test(url.trim()) ? null : 'Enter an address that begins with https://.'),
      schedule: (schedule) =>
        schedule.trim() === '' || schedule.trim().split(/\s+/).length === 5
          ? null
          : 'Enter five fields, such as 0 6 * * *, or nothing.',
    },
  });
  const onFaults: OnFaults = (faults) => {
    form.setErrors(faults);
    return Object.keys(faults).every((field) => field in source);
  };
  const { schedule, timezone } = form.values;
  return (
    <form onSubmit={form.onSubmit((fields) => onSave(fields, onFaults))}>
      <Stack gap="md">
        <TextInput label="Name" maxLength={200} data-autofocus {...form.getInputProps('name')} />
        <TextInput
          label="URL"
          description="HTML, Markdown, text, PDF or DOCX, up to 20 MiB, readable without a sign-in. Everyone who finds a passage sees the URL."
          placeholder="https://"
          maxLength={2_000}
          autoComplete="off"
          {...form.getInputProps('url')}
        />
        <TagsInput
          label="Tags"
          description="Agents with any of these tags can search this."
          placeholder={form.values.tags.length === 0 ? 'Type a tag, press Enter' : ''}
          maxTags={50}
          {...form.getInputProps('tags')}
        />
        <TextInput
          label="Schedule"
          description="Cron expression, at most every 15 minutes. Empty: fetched only by Refresh"
          placeholder="0 6 * * *"
          maxLength={200}
          autoComplete="off"
          {...form.getInputProps('schedule')}
        />
        {schedule.trim() !== '' && (
          <Select
            label="Time zone"
            data={[...new Set([timezone, ownZone(), ...ZONES])]}
            searchable
            limit={50}
            allowDeselect={false}
            {...form.getInputProps('timezone')}
          />
        )}
        <DialogActions close={close} isWorking={isWorking}>
          {submit}
        </DialogActions>
      </Stack>
    </form>
  );
}

const bodyOf = ({ schedule, ...fields }: SourceFields) => ({
  ...fields,
  schedule: schedule.trim() === '' ? null : schedule.trim(),
});

export function NewSourceForm({ close }: { close: () => void }) {
  const create = useAction(
    ({ fields }: { fields: SourceFields; onFaults: OnFaults }) =>
      askArea<KnowledgeSource>('runtime', 'POST', PATH, bodyOf(fields)),
    { refresh, onDone: close, onError: (error, { onFaults }, toast) => showFailure(error, toast, onFaults) },
  );
  return (
    <SourceForm
      source={{ name: '', url: '', tags: [], schedule: '', timezone: ownZone() }}
      submit="Add source"
      isWorking={create.isPending}
      close={close}
      onSave={(fields, onFaults) => create.mutate({ fields, onFaults })}
    />
  );
}

export function EditSourceForm({ id, close }: { id: string; close: () => void }) {
  const path = `${PATH}/${encodeURIComponent(id)}`;
  const query = useQuery({ ...areaRecord<KnowledgeSource>('runtime', path), refetchOnWindowFocus: false });
  const save = useSave(
    (fields: SourceFields, etag) => askArea<KnowledgeSource>('runtime', 'PATCH', path, bodyOf(fields), matching(etag)),
    { refresh, done: 'Saved.', onDone: close },
  );
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (!query.data) return <TextShape lines={6} />;
  const { record, etag } = query.data;
  const { name, url, tags, schedule, timezone } = record;
  return (
    <SourceForm
      source={{ name, url, tags, schedule: schedule ?? '', timezone }}
      submit="Save"
      isWorking={save.isPending}
      close={close}
      onSave={(values, onFaults) => save.mutate({ values, etag, onFaults })}
    />
  );
}
