import { Badge, Button, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type SubmitEvent } from 'react';
import type { PlatformAnswers } from '../../api/answers/platform.js';
import { areaResource, askArea } from '../../api/areas.js';
import type { KnowledgeSearch as Setting } from '../../api/platform-records.js';
import { closeDialog, openDialog } from '../../ui/dialogs.js';
import { useHasRole } from '../../api/roles.js';
import { DialogActions } from '../../ui/dialog-actions.js';
import { Failure } from '../../ui/failure.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';

const PATH = '/api/v1/knowledge-search';
const settingOf = () => areaResource<Setting>('platform', PATH);
/** Maximum number of dimensions of a vector that pgvector can index. */
const MOST_DIMENSIONS = 2_000;

/** Value of the option "no model" in the select. The value cannot be a model, because no model has an empty name. */
const NONE = '';

const STATES: Record<Setting['state'], { label: string; color: string }> = {
  full_text: { label: 'Full text', color: 'gray' },
  no_pgvector: { label: 'Full text', color: 'yellow' },
  indexing: { label: 'Indexing', color: 'yellow' },
  failing: { label: 'Failing', color: 'red' },
  ready: { label: 'Ready', color: 'mill' },
};

const countOf = (count: number) => count.toLocaleString('en');

/** Section with the settings of the knowledge search, and with the progress of the calculation of vectors. */
export function KnowledgeSearch() {
  const query = useQuery({
    ...settingOf(),
    refetchInterval: ({ state }) => (state.data?.state === 'indexing' || state.data?.pending ? 2_000 : false),
  });
  if (query.error && !query.data)
    return (
      <Section title="Knowledge search">
        <Failure error={query.error} retry={() => void query.refetch()} />
      </Section>
    );
  if (!query.data) return null;
  return <SettingView setting={query.data} />;
}

function SettingView({ setting }: { setting: Setting }) {
  const isAdmin = useHasRole('admin');
  const { state, message, embedding_model: model, dimensions, indexed, pending, refused } = setting;
  const hasVectors = model !== null && state !== 'no_pgvector';
  const change = () => {
    const modalId = openDialog({
      title: 'Embedding model',
      children: <SettingForm setting={setting} close={() => closeDialog(modalId)} />,
    });
  };
  return (
    <Section
      title="Knowledge search"
      text="How agents find passages and content about a message."
      actions={
        isAdmin && (
          <Button size="compact-sm" variant="default" onClick={change}>
            {model === null ? 'Set embedding model' : 'Change'}
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Group gap="sm">
          <Badge color={STATES[state].color}>{STATES[state].label}</Badge>
          <Text size="sm">{message}</Text>
        </Group>
        {model !== null && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            Model <bdi>{model}</bdi>
            {dimensions !== null && `, vectors of ${countOf(dimensions)} numbers`}
          </Text>
        )}
        {hasVectors && pending > 0 && (
          <Progress value={(100 * indexed) / (indexed + pending)} aria-label="Texts with vectors" />
        )}
        {hasVectors && (
          <Text size="sm" c="dimmed">
            {countOf(indexed)} texts have vectors
            {pending > 0 && `, ${countOf(pending)} to do`}
            {refused > 0 && `, ${countOf(refused)} refused by the model`}
          </Text>
        )}
      </Stack>
    </Section>
  );
}

function SettingForm({ setting, close }: { setting: Setting; close: () => void }) {
  const queries = useQueryClient();
  const [model, setModel] = useState(setting.embedding_model);
  const [length, setLength] = useState(setting.dimensions?.toString() ?? '');
  const dimensions = length.trim() === '' ? null : Number(length);
  const isLength =
    dimensions === null || (Number.isInteger(dimensions) && dimensions >= 1 && dimensions <= MOST_DIMENSIONS);
  const models = useQuery(areaResource<PlatformAnswers['listModels']>('platform', '/api/v1/models'));
  const named = (models.data?.items ?? []).filter(({ base_url }) => base_url !== null).map(({ name }) => name);
  const save = useAction(
    () =>
      askArea<Setting>('platform', 'PUT', PATH, {
        embedding_model: model,
        dimensions: model === null ? null : dimensions,
      }),
    {
      done: model === null ? 'Searches are full text only.' : 'Saved. Vectors are made in the background.',
      onDone: (saved) => {
        queries.setQueryData(settingOf().queryKey, saved);
        close();
      },
    },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (model === null || isLength) save.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          All content and passages of this project are sent to the model, and again whenever this is saved. Its usage
          counts as yours.
        </Text>
        <Select
          label="Embedding model"
          description="A model that makes embeddings."
          searchable
          allowDeselect={false}
          data={[{ value: NONE, label: 'None: full text only' }, ...named]}
          value={model ?? NONE}
          onChange={(value) => setModel(value === NONE ? null : value)}
          data-autofocus
        />
        <TextInput
          label="Length of vectors"
          description="Only for models that make shorter vectors on request. Empty: the model's."
          inputMode="numeric"
          autoComplete="off"
          disabled={model === null}
          value={length}
          onChange={(event) => setLength(event.currentTarget.value)}
          error={isLength ? null : `Enter a whole number up to ${countOf(MOST_DIMENSIONS)}, or nothing.`}
        />
        <DialogActions close={close} isWorking={save.isPending}>
          Save
        </DialogActions>
      </Stack>
    </form>
  );
}
