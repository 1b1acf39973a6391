import { Anchor, Group, NativeSelect, PasswordInput, Stack, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PlatformAnswers } from '../../api/answers/platform.js';
import { areaResource } from '../../api/areas.js';
import { KEPT, type ModelTestResult } from '../../api/platform-records.js';
import { faultsOfForm } from '../../ui/form-faults.js';
import { ModelsSelect } from '../../ui/model-select.js';
import { ParameterInputs } from '../../ui/parameter-inputs.js';
import { Section } from '../../ui/section.js';
import type { OnFaults } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { ModelTest } from './model-test.js';
import { faultsOf, withPreset, type ModelValues } from './model-values.js';

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'inactive', label: 'Inactive (not called)' },
];

export interface ModelFormProps {
  model: ModelValues;
  isNew?: boolean;
  isSaving: boolean;
  /** Saves the model. The function must call `saved` before it opens another page, and `onFaults` with the faults of a refused request. */
  onSave: (model: ModelValues, form: { saved: () => void; onFaults: OnFaults }) => void;
  /** Calls the model once, with the values in the form. */
  test: (model: ModelValues) => Promise<ModelTestResult>;
}

export function ModelForm({ model, isNew = false, isSaving, onSave, test }: ModelFormProps) {
  const presets = useQuery({
    ...areaResource<PlatformAnswers['listModelPresets']>('platform', '/api/v1/models/presets'),
    staleTime: Infinity,
  });
  const form = useForm({ initialValues: model });
  const { values } = form;
  const preset = presets.data?.items.find(({ id }) => id === values.preset);
  const saved = useUnsaved(form.isDirty());
  const check = (): boolean => {
    const faults = faultsOf(values, preset);
    form.setErrors(faults);
    return Object.keys(faults).length === 0;
  };
  // A fault of a group, such as `prices`, is shown at the first input of the group.
  const onFaults: OnFaults = ({ prices, ...faults }) =>
    faultsOfForm(form)({ ...faults, ...(prices !== undefined && { input_price: prices }) });
  const isKept = values.api_key === KEPT;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (check()) onSave(values, { saved, onFaults });
      }}
    >
      <Section title="Provider">
        <Stack gap="md">
          <Group gap="md" align="flex-start" wrap="wrap">
            <NativeSelect
              label="Provider"
              flex="1 1 200px"
              value={values.preset}
              data={(presets.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(event) => {
                const next = presets.data?.items.find(({ id }) => id === event.currentTarget.value);
                if (next) form.setValues(withPreset(values, next));
              }}
            />
            <TextInput
              label="Name"
              description={isNew ? undefined : 'Never changes: agents and runs refer to it.'}
              flex="1 1 200px"
              maxLength={100}
              autoComplete="off"
              readOnly={!isNew}
              placeholder="gpt-5-mini"
              {...form.getInputProps('name')}
            />
          </Group>
          <TextInput
            label="Model at the provider"
            description={<ModelsLink url={preset?.models_url ?? null} />}
            placeholder={values.name || 'The name above'}
            maxLength={200}
            autoComplete="off"
            {...form.getInputProps('upstream_model')}
          />
          <TextInput
            label="Base address"
            type="url"
            placeholder={preset?.base_url ?? 'https://models.example.com/v1'}
            maxLength={2_000}
            autoComplete="off"
            {...form.getInputProps('base_url')}
          />
          <PasswordInput
            label="API key"
            description={
              preset?.needs_key === false
                ? "Optional. Encrypted, and can't be viewed after saving."
                : "Encrypted, and can't be viewed after saving."
            }
            placeholder={isKept ? 'Unchanged' : ''}
            maxLength={4_096}
            autoComplete="off"
            {...form.getInputProps('api_key')}
            value={isKept ? '' : values.api_key}
            rightSection={isKept ? false : undefined}
          />
          <ModelTest test={() => (check() ? test(values) : undefined)} onFaults={onFaults} />
        </Stack>
      </Section>
      <Section title="Prices and limits">
        <Stack gap="md">
          <Group gap="md" align="flex-start" grow>
            <TextInput
              label="USD per million input tokens"
              inputMode="decimal"
              autoComplete="off"
              {...form.getInputProps('input_price')}
            />
            <TextInput
              label="USD per million output tokens"
              inputMode="decimal"
              autoComplete="off"
              {...form.getInputProps('output_price')}
            />
          </Group>
          <Group gap="md" align="flex-start" grow>
            <TextInput
              label="Context window, tokens"
              inputMode="numeric"
              autoComplete="off"
              {...form.getInputProps('context_window')}
            />
            <TextInput
              label="Longest answer, tokens"
              inputMode="numeric"
              placeholder="Unknown"
              autoComplete="off"
              {...form.getInputProps('max_output')}
            />
          </Group>
          <Switch
            label="Reads images"
            description="Requests with images are refused by models without this. Guards do not read images."
            {...form.getInputProps('images', { type: 'checkbox' })}
          />
          <Switch
            label="Its server fetches images by address"
            description="Only for servers outside your network: clients name the addresses, which can lead to anything that the server reaches."
            disabled={!values.images}
            {...form.getInputProps('image_urls', { type: 'checkbox' })}
          />
        </Stack>
      </Section>
      <Section title="Default parameters" text="What is empty is left to the provider. Requests may name their own.">
        <ParameterInputs
          values={values.parameters}
          onChange={(parameters) => form.setFieldValue('parameters', parameters)}
          error={form.errors['parameters']}
        />
      </Section>
      <Section title="Use">
        <Stack gap="md">
          <ModelsSelect
            label="Fallbacks"
            description="Called in turn when this model does not answer."
            without={values.name}
            value={values.fallbacks}
            onChange={(fallbacks) => form.setFieldValue('fallbacks', fallbacks)}
            error={form.errors['fallbacks']}
          />
          <Switch
            label="Default model"
            description="Used where an agent or a request names no model."
            {...form.getInputProps('is_default', { type: 'checkbox' })}
          />
          {!isNew && <NativeSelect label="Status" data={STATUSES} {...form.getInputProps('status')} />}
        </Stack>
      </Section>
      {isNew ? (
        <CreateActions isSaving={isSaving} cancelTo="/build/models">
          Add model
        </CreateActions>
      ) : (
        <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
      )}
    </form>
  );
}

function ModelsLink({ url }: { url: string | null }): ReactNode {
  if (url === null) return 'As the server calls it.';
  return (
    <>
      As the provider calls it:{' '}
      <Anchor href={url} target="_blank" rel="noopener noreferrer" inherit underline="always">
        its models
      </Anchor>
    </>
  );
}
