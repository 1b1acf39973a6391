import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { NewWebhook } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { useAction } from '../../ui/use-action.js';
import { FormColumn } from '../record/record-columns.js';
import { showWebhookSecret } from './show-webhook-secret.js';
import { WebhookForm, type WebhookFields } from './webhook-form.js';

const EMPTY: WebhookFields = { name: '', url: '', description: '', event_types: [], status: 'active' };

function NewWebhookPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ webhook }: { webhook: WebhookFields; saved: () => void }) =>
      // The API accepts no status here: a new webhook is active.
      askArea<NewWebhook>('platform', 'POST', '/api/v1/webhooks', { ...webhook, status: undefined }),
    {
      refresh: QUERY_KEYS.webhooks,
      onDone: ({ id, secret }, { saved }) => {
        saved();
        void navigate(`/webhooks/${id}`);
        showWebhookSecret(secret, 'Your server verifies the signature of each event with it.');
      },
    },
  );
  return (
    <FormColumn>
      <BackLink to="/webhooks">Webhooks</BackLink>
      <PageHeader title="Add webhook" text="The next page shows the secret of the signatures, once." />
      <WebhookForm
        webhook={EMPTY}
        isNew
        isSaving={create.isPending}
        onSave={(webhook, saved) => create.mutate({ webhook, saved })}
      />
    </FormColumn>
  );
}

export { NewWebhookPage as Component };
