import { Badge, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { areaRecord, areaResource, askArea, matching, type Versioned } from '../../api/areas.js';
import { titleOf, type Label, type Prompt } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { useSave } from '../../ui/use-save.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { SectionsShape } from '../../ui/loading.js';
import { Connect } from '../connect/connect.js';
import { skeletonOf } from '../mcp/skeleton.js';
import { Details, recordOf } from '../record/details.js';
import { callsOf } from './calls.js';
import { bodyOf, valuesOf, type PromptValues } from './prompt-fields.js';
import { PromptForm } from './prompt-form.js';
import { useTrial } from './trial.js';

const TryPrompt = lazy(async () => ({ default: (await import('./try-prompt.js')).TryPrompt }));
const PromptVersions = lazy(async () => ({ default: (await import('./versions.js')).PromptVersions }));
const LatestRuns = lazy(async () => ({ default: (await import('../runs/latest-runs.js')).LatestRuns }));
const Labels = lazy(async () => ({ default: (await import('./labels.js')).Labels }));

function PromptPage() {
  const { id = '' } = useParams();
  const path = `/v1/prompt/${encodeURIComponent(id)}`;
  const prompt = useQuery(areaRecord<Prompt>('prompt', path));
  return (
    <RecordPage back={{ to: '/prompts', label: 'Prompts' }} title="Prompt" query={prompt}>
      {(found) => <Detail path={path} found={found} reload={() => prompt.refetch()} />}
    </RecordPage>
  );
}

interface DetailProps {
  path: string;
  found: Versioned<Prompt>;
  reload: () => Promise<unknown>;
}

function Detail({ path, found: { record: prompt, etag }, reload }: DetailProps) {
  const { values, set } = useUrlState(['tab']);
  const trial = useTrial();
  const labels = useQuery(areaResource<Label[]>('prompt', `${path}/label`));
  const save = useSave(
    (changes: PromptValues, readEtag) => askArea<Prompt>('prompt', 'PUT', path, bodyOf(changes), matching(readEtag)),
    {
      refresh: QUERY_KEYS.prompts,
      done: ({ metadata }) => `Saved as version ${metadata.version}. Labels did not move.`,
      reload,
    },
  );
  const { metadata } = prompt;
  return (
    <>
      <PageHeader
        title={titleOf(prompt)}
        text={metadata.description || undefined}
        badges={
          <>
            <StatusBadge status={metadata.status} />
            <Badge color="gray">Version {metadata.version}</Badge>
          </>
        }
        actions={
          <>
            <CurlButton area="prompt" calls={callsOf(prompt)} />
            <Connect
              target={{ kind: 'prompt', id: prompt.id, variables: skeletonOf(prompt.input.schema, 'required') }}
              name={titleOf(prompt)}
            />
          </>
        }
      />
      <Tabs
        value={values.tab || 'edit'}
        onChange={(tab) => set({ tab: tab === 'edit' ? null : tab })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="edit">Edit</Tabs.Tab>
          <Tabs.Tab value="try">Try</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          <Tabs.Tab value="labels">Labels</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit" keepMounted>
          <PromptForm
            aside={
              <Details record={recordOf(prompt)} facts={[['Author', <bdi key="author">{metadata.author}</bdi>]]} />
            }
            key={etag}
            saved={{ id: prompt.id, version: metadata.version }}
            prompt={valuesOf(prompt)}
            isSaving={save.isPending}
            onSave={(changed) => save.mutate({ values: changed, etag })}
          />
          <DeleteSection
            noun="prompt"
            name={titleOf(prompt)}
            consequence="Programs can no longer run it, and its versions and labels are deleted. Conversations are kept."
            work={() => askArea('prompt', 'DELETE', path)}
            refresh={QUERY_KEYS.prompts}
            to="/prompts"
          />
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <Suspense fallback={<SectionsShape />}>
            <TryPrompt path={path} prompt={prompt} labels={labels.data ?? []} {...trial} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Suspense fallback={<SectionsShape />}>
            <PromptVersions path={path} prompt={prompt} etag={etag} labels={labels.data ?? []} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="labels">
          <Suspense fallback={<SectionsShape />}>
            <Labels path={path} newest={metadata.version} labels={labels} />
          </Suspense>
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <Suspense fallback={<SectionsShape />}>
            <LatestRuns
              of={{ prompt: prompt.id }}
              empty={{ title: 'No runs yet', text: 'Try the prompt or call it, and its run appears here.' }}
            />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export { PromptPage as Component };
