import { Badge, Button, Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { areaResource, askArea } from '../../api/areas.js';
import type { ModelPrice, ModelPrices } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { confirm } from '../../ui/confirm.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';

const PATH = '/api/v1/model-prices';
const usd = (amount: number) =>
  amount.toLocaleString('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 6 });

function PricesPage() {
  const prices = useQuery(areaResource<ModelPrices>('platform', PATH));
  const remove = useAction((price: ModelPrice) => askArea('platform', 'DELETE', `${PATH}/${price.id}`), {
    refresh: QUERY_KEYS.modelPrices,
    done: 'Deleted.',
  });
  const columns: Column<ModelPrice>[] = [
    {
      title: 'Model',
      render: ({ model, is_current, id }) => (
        <Group gap="xs">
          <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
            <bdi>{model}</bdi>
          </Text>
          {is_current && <Badge color="mill">in use</Badge>}
          {id === null && <Badge color="gray">of the installation</Badge>}
        </Group>
      ),
    },
    { title: 'Input', render: ({ input }) => usd(input) },
    { title: 'Output', render: ({ output }) => usd(output) },
    { title: 'From', render: ({ valid_from }) => <Time at={valid_from} none="—" /> },
    {
      title: 'Actions',
      isActions: true,
      render: (price) =>
        price.id !== null && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              confirm({
                title: `Delete this price of ${price.model}?`,
                text: 'The one before it is valid again. Costs of past runs stay as they are.',
                action: 'Delete price',
                work: () => remove.mutateAsync(price),
              })
            }
          >
            Delete
          </Button>
        ),
    },
  ];
  return (
    <>
      <BackLink to="/budgets">Budgets</BackLink>
      <PageHeader
        title="Prices of models"
        text="US dollars for a million tokens. A new price holds from its time on; costs of past runs stay as they are."
      />
      <Section title="Prices" flush>
        <DataTable
          label="Prices"
          columns={columns}
          query={prices}
          rowKey={({ id, model }) => id ?? model}
          empty={{ title: 'No prices', text: 'Budgets in US dollars need the price of each model.' }}
        />
      </Section>
      <NewPrice models={prices.data?.models ?? []} />
    </>
  );
}

function NewPrice({ models }: { models: readonly string[] }) {
  const form = useForm({
    initialValues: { model: '', input: '' as number | string, output: '' as number | string, valid_from: '' },
    validate: {
      model: (model) => (model === '' ? 'Choose a model.' : null),
      input: (price) => (typeof price === 'number' ? null : 'Enter a price.'),
      output: (price) => (typeof price === 'number' ? null : 'Enter a price.'),
    },
  });
  const add = useAction(
    ({ valid_from, ...price }: typeof form.values) =>
      askArea<ModelPrice>('platform', 'POST', PATH, {
        ...price,
        ...(valid_from !== '' && { valid_from: new Date(valid_from).toISOString() }),
      }),
    { refresh: QUERY_KEYS.modelPrices, done: 'Saved.', onDone: () => form.reset() },
  );
  return (
    <Section title="Add price">
      <form onSubmit={form.onSubmit((values) => add.mutate(values))}>
        <Group align="flex-start" gap="md">
          <Select label="Model" data={[...models]} searchable allowDeselect={false} {...form.getInputProps('model')} />
          <NumberInput label="Input" min={0} decimalScale={6} prefix="$" {...form.getInputProps('input')} />
          <NumberInput label="Output" min={0} decimalScale={6} prefix="$" {...form.getInputProps('output')} />
          <TextInput
            label="From"
            description="Without a time: from now on"
            type="datetime-local"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('valid_from')}
          />
          <Button type="submit" mt={24} loading={add.isPending}>
            Add price
          </Button>
        </Group>
      </form>
    </Section>
  );
}

export { PricesPage as Component };
