import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Webhook } from '../../api/platform-records.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { EVENT_LABELS } from './event-types.js';

export type WebhookFields = Pick<Webhook, 'name' | 'url' | 'description' | 'event_types' | 'status'>;

export interface WebhookFormProps {
  webhook: WebhookFields;
  isNew?: boolean;
  isSaving: boolean;
  /** The handler must call `saved` before it opens another page; otherwise, the page asks whether to drop unsaved changes. */
  onSave: (webhook: WebhookFields, saved: () => void) => void;
}

const STATUSES = { active: 'Active', inactive: 'Inactive (receives nothing)' };

export function WebhookForm({ webhook, isNew = false, isSaving, onSave }: WebhookFormProps) {
  const form = useForm({
    initialValues: webhook,
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      url: (url) => (URL.canParse(url) ? null : 'Enter a full URL, such as https://hooks.example.com/millwright.'),
    },
  });
  const saved = useUnsaved(form.isDirty());
  const submit = (values: WebhookFields) =>
    onSave({ ...values, name: values.name.trim(), url: values.url.trim() }, saved);
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Section title="Receiver">
        <Stack gap="md">
          <NameAndStatus form={form} maxLength={200} statuses={isNew ? undefined : STATUSES} />
          <TextInput
            label="URL"
            description="Receives a POST for each event. Redirects are not followed."
            placeholder="https://hooks.example.com/millwright"
            type="url"
            maxLength={2_000}
            autoComplete="off"
            {...form.getInputProps('url')}
          />
          <TextArea
            label="Description"
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
        </Stack>
      </Section>
      <Section title="Events">
        <Checkbox.Group
          label="Types"
          description="Without a choice, the webhook receives all types, also those of later releases."
          {...form.getInputProps('event_types')}
        >
          <Stack gap="xs" mt="sm">
            {Object.entries(EVENT_LABELS).map(([type, label]) => (
              <Checkbox key={type} value={type} label={label} description={type} />
            ))}
          </Stack>
        </Checkbox.Group>
      </Section>
      {isNew ? (
        <CreateActions isSaving={isSaving} cancelTo="/webhooks">
          Add webhook
        </CreateActions>
      ) : (
        <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
      )}
    </form>
  );
}
