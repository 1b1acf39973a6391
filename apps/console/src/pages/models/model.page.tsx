import { Alert, Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { Model, ModelTestResult } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { Facts } from '../../ui/facts.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';
import { useSave } from '../../ui/use-save.js';
import { CopyValue } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { ModelForm } from './model-form.js';
import { failureOf } from './failure-of.js';
import { ModelHealth } from './model-health.js';
import { ModelTest } from './model-test.js';
import { bodyOf, valuesOf, type ModelValues } from './model-values.js';

function ModelPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/models/${encodeURIComponent(id)}`;
  const model = useQuery(areaRecord<Model>('platform', path));
  return (
    <RecordPage back={{ to: '/build/models', label: 'Models' }} title="Model" query={model}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

function Detail({ path, found: { record: model, etag } }: { path: string; found: Versioned<Model> }) {
  const save = useSave(
    (values: ModelValues, readEtag) => askArea<Model>('platform', 'PATCH', path, bodyOf(values), matching(readEtag)),
    { refresh: QUERY_KEYS.models, done: 'Saved. Applies from the next call.' },
  );
  const test = (values?: ModelValues) =>
    askArea<ModelTestResult>('platform', 'POST', `${path}/test`, values === undefined ? undefined : bodyOf(values));
  const isOwn = model.source === 'project';
  return (
    <>
      <PageHeader
        title={model.name}
        text={model.upstream_model === model.name ? undefined : model.upstream_model}
        badges={
          <>
            <StatusBadge status={model.status} />
            {model.is_default && <Badge>Default</Badge>}
            {!isOwn && <Badge color="gray">Environment</Badge>}
          </>
        }
        actions={isOwn && <AuditLogLink filters={{ resource: model.id }} />}
      />
      <RecordColumns aside={<About model={model} />}>
        {isOwn ? (
          <>
            <ModelForm
              key={etag}
              model={valuesOf(model)}
              isSaving={save.isPending}
              onSave={(values, { onFaults }) => save.mutate({ values, etag, onFaults })}
              test={test}
            />
            <DeleteSection
              noun="model"
              name={model.name}
              consequence="A model that an agent or another model names cannot be deleted."
              work={() => askArea('platform', 'DELETE', path)}
              refresh={QUERY_KEYS.models}
              to="/build/models"
            />
          </>
        ) : (
          <Section title="Model of the environment">
            <Alert color="gray" mb="md">
              An operator sets it by MODEL_BASE_URL or MODELS_FILE. To change it here, add a model with another name.
            </Alert>
            <ModelTest test={() => test()} onFaults={() => false} />
          </Section>
        )}
      </RecordColumns>
    </>
  );
}

function About({ model }: { model: Model }) {
  const { health, prices } = model;
  const last = health.last_failure;
  return (
    <Section title="Health">
      <Facts
        isStacked
        facts={[
          ['State', <ModelHealth key="state" health={health} />],
          ['Last answer', <Time key="success" at={health.last_success_at} />],
          ...(last
            ? [
                [
                  'Last failure',
                  <span key="failure">
                    {failureOf(last)} <Time at={last.at} />
                  </span>,
                ] as const,
              ]
            : []),
          ['Base address', model.base_url ?? '—'],
          ['Price per million tokens', prices === null ? 'Unknown' : `$${prices.input} in, $${prices.output} out`],
          ['ID', <CopyValue key="id" value={model.id} label="ID" />],
        ]}
      />
    </Section>
  );
}

export { ModelPage as Component };
