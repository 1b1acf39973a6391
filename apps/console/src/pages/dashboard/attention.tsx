import { Alert, Anchor, Code, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Chain, Dashboard, Items, Job } from '../../api/records.js';

/** What an administrator should look at; nothing where all is well. */
export function Attention({ dashboard }: { dashboard: Dashboard | undefined }) {
  const jobs = useQuery(resource<Items<Job>>('/jobs'));
  const chain = useQuery(resource<Chain>('/audit/chain'));
  const failing = jobs.data?.items.filter(({ last_run }) => last_run?.outcome === 'failed') ?? [];
  return (
    <>
      {chain.data?.verified === 'broken' && (
        <Notice tone="red" title="The audit trail was changed after it was sealed">
          <Link to="/audit">See which rows.</Link>
        </Notice>
      )}
      {failing.length > 0 && (
        <Notice tone="red" title={failing.length === 1 ? 'A job fails' : `${failing.length} jobs fail`}>
          {failing.map(({ name }) => name).join(', ')}. <Link to="/jobs">See their last runs.</Link>
        </Notice>
      )}
      {dashboard?.registration_open && (
        <Notice tone="orange" title="Registration is open">
          Anyone who reaches the{' '}
          <Anchor href="/admin/register" inherit underline="always">
            registration page
          </Anchor>{' '}
          may make an account, administrators included. Set <Code>SECURITY_ALLOW_REGISTRATION=false</Code> to close it.
        </Notice>
      )}
    </>
  );
}

function Notice({ tone, title, children }: { tone: 'red' | 'orange'; title: string; children: ReactNode }) {
  return (
    <Alert color={tone} icon={<IconAlertTriangle size={18} />} title={title} mb="lg">
      <Text size="sm">{children}</Text>
    </Alert>
  );
}
