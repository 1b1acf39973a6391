import { NativeSelect, NumberInput, SimpleGrid, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Budget } from '../../api/platform-records.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { Section } from '../../ui/section.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { LEVELS, PERIODS, UNITS } from './budget-text.js';
import { SubjectSelect } from './subject-select.js';

export interface BudgetFields extends Pick<Budget, 'name' | 'status' | 'level' | 'period' | 'unit'> {
  subject_id: string;
  amount: number | string;
}

export interface BudgetFormProps {
  budget: BudgetFields;
  isNew?: boolean;
  /** Whether the status can be changed; the budget of a run is always active. */
  hasStatus?: boolean;
  isSaving: boolean;
  /** The handler must call `saved` before it opens another page; otherwise, the page asks whether to drop unsaved changes. */
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
              {level !== 'project' && level !== 'run' && (
                <SubjectSelect
                  key={level}
                  level={level}
                  value={form.values.subject_id}
                  error={typeof form.errors['subject_id'] === 'string' ? form.errors['subject_id'] : undefined}
                  onChange={(id) => form.setFieldValue('subject_id', id)}
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
