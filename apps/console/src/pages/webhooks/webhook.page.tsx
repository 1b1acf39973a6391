import { Alert, Button, Tabs } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { Delivery, NewWebhook, Webhook } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { confirm } from '../../ui/confirm.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useSave } from '../../ui/use-save.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { Details } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { Deliveries } from './deliveries.js';
import { showWebhookSecret } from './show-webhook-secret.js';
import { WebhookForm, type WebhookFields } from './webhook-form.js';
import { WebhookStatus } from './webhook-status.js';

function WebhookPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/webhooks/${encodeURIComponent(id)}`;
  const webhook = useQuery(areaRecord<Webhook>('platform', path));
  return (
    <RecordPage back={{ to: '/webhooks', label: 'Webhooks' }} title="Webhook" query={webhook}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

const WHY_DISABLED = {
  failing: 'The receiver failed for five days. Once it works, set the status to active and replay what it missed.',
  gone: 'The receiver answered that it is gone (410).',
};

function Detail({ path, found: { record: webhook, etag } }: { path: string; found: Versioned<Webhook> }) {
  const { values, set } = useUrlState(['tab']);
  const { name, url, description, event_types, status, disabled_reason, failing_since } = webhook;
  const isActive = status === 'active';
  const save = useSave(
    ({ status: chosen, ...changes }: WebhookFields, readEtag) =>
      askArea<Webhook>(
        'platform',
        'PATCH',
        path,
        { ...changes, ...(chosen !== status && { status: chosen }) },
        matching(readEtag),
      ),
    { refresh: QUERY_KEYS.webhooks, done: 'Saved.' },
  );
  const test = useAction(() => askArea<Delivery>('platform', 'POST', `${path}/test`), {
    refresh: QUERY_KEYS.webhooks,
    done: 'Test sent. See its delivery.',
    onDone: () => set({ tab: null }),
  });
  const rotate = useAction(() => askArea<NewWebhook>('platform', 'POST', `${path}/rotate-secret`), {
    refresh: QUERY_KEYS.webhooks,
    onDone: ({ secret }) =>
      showWebhookSecret(secret, 'For 24 hours, events are signed with the former secret as well.'),
  });
  const askToRotate = () =>
    confirm({
      title: 'Replace the secret?',
      text: 'Events are signed with both secrets for 24 hours. Give your server the new one in that time.',
      action: 'Replace secret',
      tone: 'plain',
      work: () => rotate.mutateAsync(),
    });
  return (
    <>
      <PageHeader
        title={name}
        text={description || url}
        badges={<WebhookStatus webhook={webhook} />}
        actions={
          <>
            <AuditLogLink filters={{ resource: webhook.id }} />
            <Button
              variant="default"
              leftSection={<IconSend size={16} stroke={1.7} />}
              onClick={() => test.mutate()}
              loading={test.isPending}
              disabled={!isActive}
            >
              Send test
            </Button>
          </>
        }
      />
      {disabled_reason !== null && (
        <Alert color="red" py="xs" mb="lg" title="Disabled">
          {WHY_DISABLED[disabled_reason]}
        </Alert>
      )}
      {isActive && failing_since !== null && (
        <Alert color="orange" py="xs" mb="lg" title="Failing">
          No event was accepted since <Time at={failing_since} />. After five days the webhook is disabled.
        </Alert>
      )}
      <Tabs
        value={values.tab || 'deliveries'}
        onChange={(tab) => set({ tab: tab === 'deliveries' ? null : tab })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="deliveries">Deliveries</Tabs.Tab>
          <Tabs.Tab value="edit">Settings</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="deliveries">
          <Deliveries path={path} isActive={isActive} />
        </Tabs.Panel>
        <Tabs.Panel value="edit" keepMounted>
          <RecordColumns
            aside={<Details record={webhook} facts={[['Waiting', webhook.waiting.toLocaleString('en')]]} />}
          >
            <WebhookForm
              key={JSON.stringify([name, url, description, event_types, status])}
              webhook={{ name, url, description, event_types, status }}
              isSaving={save.isPending}
              onSave={(changes) => save.mutate({ values: changes, etag })}
            />
            <Section
              title="Secret"
              text="Your server verifies the signature of each event with it. It can't be viewed again, only replaced."
            >
              <Button variant="default" onClick={askToRotate}>
                Replace secret
              </Button>
            </Section>
            <DeleteSection
              noun="webhook"
              name={name}
              consequence="Its deliveries are deleted; what waits is not sent."
              work={() => askArea('platform', 'DELETE', path)}
              refresh={QUERY_KEYS.webhooks}
              to="/webhooks"
            />
          </RecordColumns>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export { WebhookPage as Component };
