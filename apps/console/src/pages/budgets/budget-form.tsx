import { NativeSelect, NumberInput, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { List } from '../../api/admin-records.js';
import type { Agent, Budget, Trigger } from '../../api/platform-records.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { Section } from '../../ui/section.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { LEVELS, PERIODS, UNITS } from './budget-text.js';

export interface BudgetFields extends Pick<Budget, 'name' | 'status' | 'level' | 'period' | 'unit'> {
  subject_id: string;
  amount: number | string;
}

export interface BudgetFormProps {
  budget: BudgetFields;
  isNew?: boolean;
  /** The budget of a run stays active. */
  hasStatus?: boolean;
  isSaving: boolean;
  /** Call `saved` before another page opens. */
  onSave: (budget: BudgetFields, saved: () => void) => void;
}

const STATUSES = { active: 'Active', inactive: 'Inactive (limits nothing)' };
const optionsOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

export function BudgetForm({ budget, isNew = false, hasStatus = true, isSaving, onSave }: BudgetFormProps) {
  const form = useForm({
    initialValues: budget,
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      amount: (amount) => (typeof amount === 'number' && amount >= 0 ? null : 'Enter an amount.'),
      subject_id: (id, { level }) => (isNew && level !== 'project' && id === '' ? 'Choose one.' : null),
    },
  });
  const saved = useUnsaved(form.isDirty());
  const { level, unit } = form.values;
  return (
    <form onSubmit={form.onSubmit((values) => onSave({ ...values, name: values.name.trim() }, saved))}>
      <Section title="Budget">
        <Stack gap="md">
          <NameAndStatus form={form} maxLength={200} statuses={isNew || !hasStatus ? undefined : STATUSES} />
          {isNew && (
            <>
              <NativeSelect
                label="Of"
                data={optionsOf(LEVELS).filter(({ value }) => value !== 'run')}
                value={level}
                onChange={({ currentTarget }) =>
                  form.setValues({ level: currentTarget.value as Budget['level'], subject_id: '' })
                }
              />
              {(level === 'agent' || level === 'trigger') && (
                <RecordSelect key={level} level={level} inputProps={form.getInputProps('subject_id')} />
              )}
              {(level === 'user' || level === 'api_key' || level === 'client') && (
                <TextInput
                  label={`ID of the ${LEVELS[level]}`}
                  description={ID_HELP[level]}
                  maxLength={2_000}
                  autoComplete="off"
                  {...form.getInputProps('subject_id')}
                />
              )}
            </>
          )}
          <SimpleGrid cols={{ base: 1, sm: isNew ? 3 : 1 }}>
            <NumberInput
              label={isNew ? 'Amount' : `Amount (${UNITS[unit]})`}
              min={0}
              decimalScale={unit === 'usd' ? 6 : 0}
              thousandSeparator=","
              {...form.getInputProps('amount')}
            />
            {isNew && <NativeSelect label="Unit" data={optionsOf(UNITS)} {...form.getInputProps('unit')} />}
            {isNew && (
              <NativeSelect
                label="Period"
                description="In UTC"
                data={optionsOf(PERIODS)}
                {...form.getInputProps('period')}
              />
            )}
          </SimpleGrid>
        </Stack>
      </Section>
      {isNew ? (
        <CreateActions isSaving={isSaving} cancelTo="/budgets">
          Add budget
        </CreateActions>
      ) : (
        <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
      )}
    </form>
  );
}

const ID_HELP = {
  user: 'It begins with usr_ and is on the page of the user.',
  api_key: 'It begins with key_ and is on the page of its owner.',
  client: 'The client_id of the application.',
} as const;

interface RecordSelectProps {
  level: 'agent' | 'trigger';
  inputProps: object;
}

/** A choice of agents or triggers by name. */
function RecordSelect({ level, inputProps }: RecordSelectProps) {
  const query = { sort: 'name', order: 'asc', per_page: 100 };
  const list = useQuery(areaResource<List<Agent | Trigger>>('platform', `/api/v1/${level}s`, query));
  return (
    <Select
      label={LEVELS[level]}
      placeholder="Choose"
      data={(list.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      allowDeselect={false}
      {...inputProps}
    />
  );
}
