import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource, send } from '../../api/api.js';
import type { Consent, Items } from '../../api/records.js';
import { confirm } from '../../ui/confirm.js';
import { Section } from '../../ui/section.js';
import { useAction } from '../../ui/use-action.js';
import { BriefTable } from './brief-table.js';
import { consentColumns } from './consent-columns.js';

export function Consents() {
  const consents = useQuery(resource<Items<Consent>>('/consents'));
  const revoke = useAction((id: string) => send('DELETE', `/consents/${id}`), {
    refresh: [['consents']],
    done: 'The app no longer has access.',
  });
  const askToRevoke = ({ id, client_name }: Consent) =>
    confirm({
      title: 'Revoke access?',
      text: (
        <>
          <bdi>{client_name}</bdi> can no longer act for you and has to ask again.
        </>
      ),
      action: 'Revoke access',
      work: () => revoke.mutateAsync(id),
    });
  return (
    <Section title="Connected apps" text="Apps you allowed to act for you." flush>
      <BriefTable
        label="Connected apps"
        columns={[
          ...consentColumns,
          {
            title: 'Actions',
            isActions: true,
            render: (consent: Consent) => (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => askToRevoke(consent)}
                aria-label={`Revoke access of ${consent.client_name}`}
              >
                Revoke access
              </Button>
            ),
          },
        ]}
        query={consents}
        rowKey={({ id }) => id}
        none="No apps."
      />
    </Section>
  );
}
