import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { NewTrigger } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { showSecret } from '../../ui/show-secret.js';
import { useAction } from '../../ui/use-action.js';
import { FormColumn } from '../record/record-columns.js';
import { TriggerForm, type TriggerFields } from './trigger-form.js';
import { budgetOf, fromLocalInput, ownZone } from './trigger-text.js';

const emptyFields = (): TriggerFields => ({
  ...{ name: '', description: '', kind: 'cron', status: 'active', agent: '', input: '' },
  ...{ context: 'new', overlap: 'skip', missed: 'skip', max_failures: 10 },
  ...{ schedule: '0 9 * * MON-FRI', timezone: ownZone(), starts_at: '', ends_at: '' },
  ...{ signature: 'standard', secret: '', budget_unit: 'usd', budget_amount: '' },
});

/** Makes the body of the request for a new trigger. It contains the fields of the trigger's kind, and no status, because a new trigger is active. */
function bodyOf({ schedule, timezone, starts_at, ends_at, missed, signature, secret, ...rest }: TriggerFields) {
  const { budget_unit, budget_amount, ...same } = rest;
  const fields = { ...same, status: undefined, budget: budgetOf({ budget_unit, budget_amount }) };
  if (fields.kind === 'webhook')
    return { ...fields, signature, ...(signature !== 'standard' && secret !== '' && { secret }) };
  const period = { starts_at: fromLocalInput(starts_at), ends_at: fromLocalInput(ends_at) };
  return { ...fields, schedule, timezone, missed, ...period };
}

function NewTriggerPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ trigger }: { trigger: TriggerFields; saved: () => void }) =>
      askArea<NewTrigger>('platform', 'POST', '/api/v1/triggers', bodyOf(trigger)),
    {
      refresh: QUERY_KEYS.triggers,
      onDone: ({ id, secret }, { saved }) => {
        saved();
        void navigate(`/triggers/${id}`);
        if (secret !== null)
          showSecret({
            title: 'Secret of the trigger',
            secret,
            copy: 'Copy secret',
            text: 'The sender signs its posts with it. The page of the trigger has the address.',
          });
      },
    },
  );
  return (
    <FormColumn>
      <BackLink to="/triggers">Triggers</BackLink>
      <PageHeader title="Add trigger" text="Its runs act for you, with the rights that you have at the time." />
      <TriggerForm
        trigger={emptyFields()}
        isNew
        isSaving={create.isPending}
        onSave={(trigger, saved) => create.mutate({ trigger, saved })}
      />
    </FormColumn>
  );
}

export { NewTriggerPage as Component };
