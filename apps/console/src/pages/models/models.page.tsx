import { Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { PlatformAnswers } from '../../api/answers/platform.js';
import { areaResource } from '../../api/areas.js';
import type { Model } from '../../api/platform-records.js';
import { CurlButton } from '../../ui/curl.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { ModelHealth } from './model-health.js';

const priceText = (prices: Model['prices']) =>
  prices === null ? (
    <Link to="/budgets/prices">Set</Link>
  ) : (
    `$${prices.input.toLocaleString('en')} / $${prices.output.toLocaleString('en')}`
  );

const COLUMNS: Column<Model>[] = [
  {
    title: 'Model',
    render: ({ name, upstream_model, base_url, is_default, source }) => (
      <NamedCell
        name={name}
        text={[upstream_model === name ? '' : upstream_model, base_url ?? ''].filter(Boolean).join(' · ')}
        badges={
          <>
            {is_default && <Badge>Default</Badge>} {source === 'environment' && <Badge color="gray">Environment</Badge>}
          </>
        }
      />
    ),
  },
  { title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Health', render: ({ health }) => <ModelHealth health={health} /> },
  { title: 'USD per million tokens, in / out', render: ({ prices }) => priceText(prices) },
  { title: 'Context', align: 'right', render: ({ context_window }) => context_window.toLocaleString('en') },
  { title: 'Fallbacks', render: ({ fallbacks }) => (fallbacks.length === 0 ? '—' : fallbacks.join(', ')) },
];

const add = (
  <Button component={Link} to="/build/models/new" leftSection={<IconPlus size={16} />}>
    Add model
  </Button>
);

function ModelsPage() {
  const models = useQuery(areaResource<PlatformAnswers['listModels']>('platform', '/api/v1/models'));
  return (
    <>
      <PageHeader
        title="Models"
        text="The models that agents and prompts use. Changes apply at once, without a restart."
        actions={
          <>
            <CurlButton area="platform" calls={[{ title: 'List models', path: '/api/v1/models' }]} />
            {add}
          </>
        }
      />
      <Section title="Models" flush>
        <DataTable
          label="Models"
          columns={COLUMNS}
          query={models}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/build/models/${encodeURIComponent(id)}`}
          isFaded={({ status }) => status === 'inactive'}
          empty={{
            title: 'No models yet',
            text: 'Add one of your provider, or any server that speaks its API.',
            action: add,
          }}
        />
      </Section>
    </>
  );
}

export { ModelsPage as Component };
