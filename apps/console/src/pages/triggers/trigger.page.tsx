import { Alert, Button, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { resource } from '../../api/api.js';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { Addresses, Me } from '../../api/admin-records.js';
import type { NewTrigger, Trigger } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { confirm } from '../../ui/confirm.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { Facts } from '../../ui/facts.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { Section } from '../../ui/section.js';
import { showSecret } from '../../ui/show-secret.js';
import { Time } from '../../ui/time.js';
import { useAction } from '../../ui/use-action.js';
import { useSave } from '../../ui/use-save.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { CopyValue, Details } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { Firings } from './firings.js';
import { TestTrigger } from './test-trigger.js';
import { TriggerForm, type TriggerFields } from './trigger-form.js';
import { TriggerStatus } from './trigger-status.js';
import { budgetOf, fromLocalInput, SIGNATURES, toLocalInput, whenText } from './trigger-text.js';

function TriggerPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/triggers/${encodeURIComponent(id)}`;
  const trigger = useQuery(areaRecord<Trigger>('platform', path));
  return (
    <RecordPage back={{ to: '/triggers', label: 'Triggers' }} title="Trigger" query={trigger}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

const WHY_DISABLED = {
  owner: 'Its owner is disabled, or no admin of the project any more. Become the owner, then set the status to active.',
  failing: 'It failed too often in a row. See its firings; once the cause is gone, set the status to active.',
};

const fieldsOf = (trigger: Trigger): TriggerFields => {
  const { name, description, kind, status, agent, input, context, overlap, missed, max_failures } = trigger;
  return {
    ...{ name, description, kind, status, agent, input, context, overlap, missed, max_failures, secret: '' },
    ...{ schedule: trigger.schedule ?? '', timezone: trigger.timezone ?? 'UTC' },
    ...{ starts_at: toLocalInput(trigger.starts_at), ends_at: toLocalInput(trigger.ends_at) },
    signature: trigger.signature ?? 'standard',
    budget_unit: trigger.budget?.unit ?? 'usd',
    budget_amount: trigger.budget?.amount ?? '',
  };
};

const TIMES = ['starts_at', 'ends_at'];
const BUDGET = ['budget_unit', 'budget_amount'];

/** Returns the changed fields of a form, as the API expects them. */
function changesOf(before: TriggerFields, after: TriggerFields): object {
  const changed = Object.entries(after).filter(([field, value]) => value !== before[field as keyof TriggerFields]);
  const plain = changed.filter(([field]) => !BUDGET.includes(field));
  return {
    ...Object.fromEntries(
      plain.map(([field, value]) => [field, TIMES.includes(field) ? fromLocalInput(String(value)) : value]),
    ),
    ...(plain.length < changed.length && { budget: budgetOf(after) }),
  };
}

function Detail({ path, found: { record: trigger, etag } }: { path: string; found: Versioned<Trigger> }) {
  const { values, set } = useUrlState(['tab']);
  const { name, description, kind, disabled_reason, failures, max_failures } = trigger;
  const fields = fieldsOf(trigger);
  const save = useSave(
    (changed: TriggerFields, readEtag) =>
      askArea<Trigger>('platform', 'PATCH', path, changesOf(fields, changed), matching(readEtag)),
    { refresh: QUERY_KEYS.triggers, done: 'Saved.' },
  );
  return (
    <>
      <PageHeader
        title={name}
        text={description || whenText(trigger)}
        badges={<TriggerStatus trigger={trigger} />}
        actions={
          <>
            <AuditLogLink filters={{ resource: trigger.id }} />
            <TestTrigger path={path} trigger={trigger} onDone={() => set({ tab: null })} />
          </>
        }
      />
      {disabled_reason !== null && (
        <Alert color="red" py="xs" mb="lg" title="Disabled">
          {WHY_DISABLED[disabled_reason]}
        </Alert>
      )}
      {disabled_reason === null && failures > 0 && (
        <Alert color="orange" py="xs" mb="lg" title="Failing">
          {failures === 1 ? 'The last run failed.' : `The last ${failures} runs failed.`} After {max_failures} failures
          in a row the trigger is disabled.
        </Alert>
      )}
      <Owner path={path} trigger={trigger} />
      <Tabs
        value={values.tab || 'firings'}
        onChange={(tab) => set({ tab: tab === 'firings' ? null : tab })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="firings">Firings</Tabs.Tab>
          <Tabs.Tab value="edit">Settings</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="firings">
          {kind === 'webhook' && <Address trigger={trigger} />}
          <Firings path={path} />
        </Tabs.Panel>
        <Tabs.Panel value="edit" keepMounted>
          <RecordColumns
            aside={
              <Details
                record={trigger}
                facts={[
                  ['Owner', trigger.owner.name],
                  ['Firings', trigger.firings.toLocaleString('en')],
                  ['Last fired', <Time key="last" at={trigger.last_fired_at} />],
                  ...(kind === 'cron' ? [['Next', <Time key="next" at={trigger.next_at} none="—" />] as const] : []),
                ]}
              />
            }
          >
            <TriggerForm
              key={JSON.stringify(fields)}
              trigger={fields}
              isSaving={save.isPending}
              onSave={(changed) => save.mutate({ values: changed, etag })}
            />
            {kind === 'webhook' && <Secret path={path} />}
            <DeleteSection
              noun="trigger"
              name={name}
              consequence="It fires no more, and its firings are deleted. Its runs stay."
              work={() => askArea('platform', 'DELETE', path)}
              refresh={QUERY_KEYS.triggers}
              to="/triggers"
            />
          </RecordColumns>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** Names the owner, for whom the runs act, and has a button to become the owner. Renders nothing for the owner. */
function Owner({ path, trigger: { owner } }: { path: string; trigger: Trigger }) {
  const me = useQuery(resource<Me>('/me'));
  const own = me.data?.user_id;
  const takeOver = useAction(() => askArea<Trigger>('platform', 'PATCH', path, { owner_id: own }), {
    refresh: QUERY_KEYS.triggers,
    done: 'Runs act for you now.',
  });
  if (own === undefined || own === owner.id) return null;
  return (
    <Alert color="gray" py="xs" mb="lg" title={`Runs act for ${owner.name}`}>
      Only the owner changes what they do.{' '}
      <Button size="compact-sm" variant="default" onClick={() => takeOver.mutate()} loading={takeOver.isPending}>
        Become the owner
      </Button>
    </Alert>
  );
}

/** The address to which senders post, and the kind of signature that the posts must have. */
function Address({ trigger: { path, signature, former_secret_until } }: { trigger: Trigger }) {
  const addresses = useQuery(resource<Addresses>('/me/addresses'));
  const address = addresses.data && path !== null ? `${addresses.data.runtime_url}${path}` : undefined;
  return (
    <Section title="Address">
      <Facts
        facts={[
          ['POST to', address === undefined ? '—' : <CopyValue key="address" value={address} label="address" />],
          ['Signed as', SIGNATURES[signature ?? 'standard']],
          ...(former_secret_until === null
            ? []
            : [['Former secret valid until', <Time key="former" at={former_secret_until} />] as const]),
        ]}
      />
    </Section>
  );
}

function Secret({ path }: { path: string }) {
  const rotate = useAction(() => askArea<NewTrigger>('platform', 'POST', `${path}/rotate-secret`, {}), {
    refresh: QUERY_KEYS.triggers,
    onDone: ({ secret }) =>
      showSecret({
        title: 'Secret of the trigger',
        secret: secret ?? '',
        copy: 'Copy secret',
        text: 'For 24 hours, posts may be signed with the former secret as well.',
      }),
  });
  return (
    <Section title="Secret" text="The sender signs its posts with it. It can't be viewed again, only replaced.">
      <Button
        variant="default"
        onClick={() =>
          confirm({
            title: 'Replace the secret?',
            text: 'Posts may be signed with either secret for 24 hours. Give the sender the new one in that time.',
            action: 'Replace secret',
            tone: 'plain',
            work: () => rotate.mutateAsync(),
          })
        }
      >
        Replace secret
      </Button>
    </Section>
  );
}

export { TriggerPage as Component };
