import { Group, NativeSelect, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { List } from '../../api/admin-records.js';
import type { Agent, Trigger } from '../../api/platform-records.js';
import { failureText } from '../../ui/failure-text.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { UNITS } from '../budgets/budget-text.js';
import { NextTimes } from './next-times.js';
import { CONTEXTS, KINDS, MISSED, OVERLAPS, ownZone, SIGNATURES } from './trigger-text.js';

type Chosen = 'name' | 'description' | 'kind' | 'status' | 'agent' | 'input' | 'context' | 'overlap' | 'missed';

/** Values of the form's inputs. Times have the format of `datetime-local` inputs. */
export interface TriggerFields extends Pick<Trigger, Chosen | 'max_failures'> {
  schedule: string;
  timezone: string;
  starts_at: string;
  ends_at: string;
  signature: NonNullable<Trigger['signature']>;
  secret: string;
  budget_unit: NonNullable<Trigger['budget']>['unit'];
  /** Amount of the budget; empty when there is no budget. */
  budget_amount: number | string;
}

export interface TriggerFormProps {
  trigger: TriggerFields;
  isNew?: boolean;
  isSaving: boolean;
  /** The handler must call `saved` before it opens another page; otherwise, the page asks whether to drop unsaved changes. */
  onSave: (trigger: TriggerFields, saved: () => void) => void;
}

const STATUSES = { active: 'Active', inactive: 'Inactive (starts nothing)' };
const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const TEMPLATE_HELP = {
  cron: 'The message to the agent. {{at}} is the scheduled time.',
  webhook:
    'The message to the agent. {{message}} is the whole body, {{body.issue.title}} a value in its JSON, {{at}} the time.',
} as const;

export function TriggerForm({ trigger, isNew = false, isSaving, onSave }: TriggerFormProps) {
  const form = useForm({
    initialValues: trigger,
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      agent: (agent) => (agent === '' ? 'Choose an agent.' : null),
      budget_amount: (amount) => (amount === '' || Number(amount) > 0 ? null : 'Enter more than 0, or nothing.'),
      input: (input) => (input.trim() === '' ? 'Enter the message to the agent.' : null),
      schedule: (schedule, { kind }) =>
        kind === 'cron' && schedule.trim().split(/\s+/).length !== 5
          ? 'Enter five fields, such as 0 9 * * MON-FRI.'
          : null,
    },
  });
  const saved = useUnsaved(form.isDirty());
  const { kind } = form.values;
  return (
    <form onSubmit={form.onSubmit((values) => onSave({ ...values, name: values.name.trim() }, saved))}>
      <Section title="Trigger">
        <Stack gap="md">
          <NameAndStatus form={form} maxLength={200} statuses={isNew ? undefined : STATUSES} />
          <TextArea
            label="Description"
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
          {isNew && <NativeSelect label="Started by" data={optionsOf(KINDS)} {...form.getInputProps('kind')} />}
        </Stack>
      </Section>
      {kind === 'cron' ? <Schedule form={form} /> : isNew && <Signature form={form} />}
      <Run form={form} />
      {isNew ? (
        <CreateActions isSaving={isSaving} cancelTo="/triggers">
          Add trigger
        </CreateActions>
      ) : (
        <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
      )}
    </form>
  );
}

interface PartProps {
  form: UseFormReturnType<TriggerFields>;
}

const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

function Schedule({ form }: PartProps) {
  const { schedule, timezone, starts_at, ends_at } = form.values;
  return (
    <Section title="Schedule">
      <Stack gap="md">
        <Group gap="md" align="flex-start" wrap="wrap">
          <TextInput
            label="Cron expression"
            description="Minute, hour, day of the month, month, day of the week"
            placeholder="0 9 * * MON-FRI"
            maxLength={200}
            autoComplete="off"
            flex="1 1 240px"
            {...form.getInputProps('schedule')}
          />
          <Select
            label="Time zone"
            description="On whose clock the fields are read"
            data={[...new Set([timezone, ownZone(), ...ZONES])]}
            searchable
            limit={50}
            allowDeselect={false}
            flex="1 1 240px"
            {...form.getInputProps('timezone')}
          />
        </Group>
        <NextTimes schedule={schedule} timezone={timezone} starts_at={starts_at} ends_at={ends_at} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label="Not before" type="datetime-local" {...form.getInputProps('starts_at')} />
          <TextInput label="Not after" type="datetime-local" {...form.getInputProps('ends_at')} />
        </SimpleGrid>
        <NativeSelect
          label="Missed times"
          description="Times at which no process of the platform ran"
          data={optionsOf(MISSED)}
          {...form.getInputProps('missed')}
        />
      </Stack>
    </Section>
  );
}

function Signature({ form }: PartProps) {
  const { signature } = form.values;
  return (
    <Section title="Signature" text="The next page shows the address, and once the secret.">
      <Stack gap="md">
        <NativeSelect label="Sender signs as" data={optionsOf(SIGNATURES)} {...form.getInputProps('signature')} />
        {signature !== 'standard' && (
          <TextInput
            label="Secret"
            description="Optional. Without one, the platform makes it. Stripe shows its own once it has the address: replace the secret then."
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps('secret')}
          />
        )}
      </Stack>
    </Section>
  );
}

function Run({ form }: PartProps) {
  const agents = useQuery(
    areaResource<List<Agent>>('platform', '/api/v1/agents', { sort: 'name', order: 'asc', per_page: 100 }),
  );
  const { agent, kind } = form.values;
  const known = (agents.data?.items ?? []).map(({ slug, name }) => ({ value: slug, label: name }));
  const isKnown = agent === '' || known.some(({ value }) => value === agent);
  return (
    <Section title="Run" text="Runs act for the owner of the trigger.">
      <Stack gap="md">
        <Select
          label="Agent"
          placeholder="Choose"
          data={isKnown ? known : [{ value: agent, label: agent }, ...known]}
          searchable
          allowDeselect={false}
          {...form.getInputProps('agent')}
          {...(agents.error && { error: failureText(agents.error) })}
        />
        <TextArea
          label="Message"
          description={TEMPLATE_HELP[kind]}
          minRows={4}
          maxRows={20}
          maxLength={20_000}
          isCode
          {...form.getInputProps('input')}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect label="Conversation" data={optionsOf(CONTEXTS)} {...form.getInputProps('context')} />
          <NativeSelect
            label="While an earlier run goes on"
            data={optionsOf(OVERLAPS)}
            {...form.getInputProps('overlap')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput
            label="Budget of each run"
            description="A run waits once it is used up. Empty: none of its own"
            min={0}
            decimalScale={form.values.budget_unit === 'usd' ? 6 : 0}
            thousandSeparator=","
            {...form.getInputProps('budget_amount')}
          />
          <NativeSelect
            label="Unit"
            description="Of the budget"
            data={optionsOf(UNITS)}
            {...form.getInputProps('budget_unit')}
          />
        </SimpleGrid>
        <NumberInput
          label="Disable after failures in a row"
          min={1}
          max={1_000}
          allowDecimal={false}
          maw={280}
          {...form.getInputProps('max_failures')}
        />
      </Stack>
    </Section>
  );
}
