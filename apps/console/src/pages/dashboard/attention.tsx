import { Anchor, Code, Group, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Dashboard } from '../../api/dashboard-records.js';
import { chooseProject, type Project } from '../../api/project.js';
import type { Chain, Items, Job, Me } from '../../api/records.js';
import { countText } from '../../ui/figures.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import classes from './attention.module.css';

interface Matter {
  title: ReactNode;
  /** What to do about it, and where. */
  text: ReactNode;
  isGrave?: boolean;
}

/** What an administrator should look at, each with the way there. */
export function Attention({ dashboard }: { dashboard: Dashboard | undefined }) {
  const me = useQuery(resource<Me>('/me'));
  const jobs = useQuery(resource<Items<Job>>('/jobs'));
  const chain = useQuery(resource<Chain>('/audit/chain'));
  const isLoading = !dashboard || jobs.isPending || chain.isPending;
  const matters = [
    ...chainMatters(chain.data),
    ...jobMatters(jobs.data?.items ?? []),
    ...(dashboard
      ? [...toolMatters(dashboard), ...keyMatters(dashboard, me.data), ...registrationMatters(dashboard)]
      : []),
  ];
  return (
    <Section title="Needs attention">
      {isLoading && matters.length === 0 && <Skeleton height={22} aria-busy="true" />}
      {!isLoading && matters.length === 0 && (
        <Group gap="xs">
          <IconCircleCheck size={18} className={classes.well} aria-hidden />
          <Text size="sm">All is well.</Text>
        </Group>
      )}
      <ul className={classes.matters}>
        {matters.map(({ title, text, isGrave = false }, index) => (
          <li key={index} className={classes.matter} data-grave={isGrave}>
            <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
            <div>
              <Text size="sm" fw={550}>
                {title}
              </Text>
              <Text size="sm" component="div">
                {text}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function chainMatters(chain: Chain | undefined): Matter[] {
  if (chain?.verified === 'broken') {
    const title = 'The audit trail was changed after it was sealed';
    return [{ title, text: <Link to="/audit">See which rows.</Link>, isGrave: true }];
  }
  if (chain?.verified !== 'unchecked') return [];
  return [{ title: 'The audit trail was never verified', text: <Link to="/audit">Verify it.</Link> }];
}

function jobMatters(jobs: readonly Job[]): Matter[] {
  const failing = jobs.filter(({ last_run }) => last_run?.outcome === 'failed').map(({ name }) => name);
  if (failing.length === 0) return [];
  const title = failing.length === 1 ? 'A job fails' : `${failing.length} jobs fail`;
  return [
    {
      title,
      text: (
        <>
          {failing.join(', ')}. <Link to="/jobs">See their last runs.</Link>
        </>
      ),
      isGrave: true,
    },
  ];
}

function toolMatters({ quarantined }: Dashboard): Matter[] {
  return quarantined.map(({ server_id, name, project, tools }) => ({
    title: (
      <>
        {countText(tools, 'tool')} of <bdi>{name}</bdi> {tools === 1 ? 'is' : 'are'} held back
      </>
    ),
    text: (
      <Link to={`/build/mcp/${server_id}?tab=quarantined`} onClick={() => chooseProject(project as Project)}>
        See what changed, and approve it.
      </Link>
    ),
  }));
}

function keyMatters({ expiring_keys }: Dashboard, me: Me | undefined): Matter[] {
  return expiring_keys.map(({ name, expires_at, owner }) => ({
    title: (
      <>
        The API key <bdi>{name}</bdi> ends <Time at={expires_at} />
      </>
    ),
    text:
      owner.id === me?.user_id ? (
        <Link to="/settings">Rotate it in Settings.</Link>
      ) : (
        <>
          It is <bdi>{owner.name}</bdi>’s. <Link to={`/access/users/${owner.id}`}>See the account.</Link>
        </>
      ),
  }));
}

function registrationMatters({ registration_open }: Dashboard): Matter[] {
  if (!registration_open) return [];
  const text = (
    <>
      Anyone who reaches the{' '}
      <Anchor href="/admin/register" inherit underline="always">
        registration page
      </Anchor>{' '}
      may make an account, administrators included. Set <Code>SECURITY_ALLOW_REGISTRATION=false</Code> to close it.
    </>
  );
  return [{ title: 'Registration is open', text }];
}
