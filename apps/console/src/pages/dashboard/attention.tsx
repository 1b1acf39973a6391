import { Anchor, Button, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { PlatformAnswers } from '../../api/answers/platform.js';
import { resource } from '../../api/api.js';
import { areaResource } from '../../api/areas.js';
import type { Model } from '../../api/platform-records.js';
import type { Chain, Dashboard, Items, Job, Me, Quota } from '../../api/admin-records.js';
import { chooseProject } from '../../api/project.js';
import { useProjectName } from '../../api/projects.js';
import { countText } from '../../ui/figures.js';
import { TextShape } from '../../ui/loading.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { failureOf } from '../models/failure-of.js';
import { quotaWarnings } from '../limits/quota-text.js';
import classes from './attention.module.css';

interface Matter {
  title: ReactNode;
  text?: ReactNode;
  /** Link to the page on which the user can resolve the matter. */
  action?: { label: string; to: string; onClick?: () => void };
  isGrave?: boolean;
}

/** Problems and tasks that need an administrator, each with a link to the page on which to act. */
export function Attention({ dashboard }: { dashboard: UseQueryResult<Dashboard> }) {
  const me = useQuery(resource<Me>('/me'));
  const enabled = me.data?.is_admin === true;
  const nameOf = useProjectName();
  const jobs = useQuery({ ...resource<Items<Job>>('/jobs'), enabled });
  const chain = useQuery({ ...resource<Chain>('/audit/chain'), enabled });
  const models = useQuery({
    ...areaResource<PlatformAnswers['listModels']>('platform', '/api/v1/models'),
    retry: false,
  });
  const quotas = useQuery(resource<Items<Quota>>('/quotas'));
  const checks = { Services: dashboard, Jobs: jobs, 'Audit log': chain, Models: models, Limits: quotas };
  const isLoading = !me.data || Object.values(checks).some((check) => check.isLoading);
  const failed = Object.entries(checks).filter(([, { error, data }]) => error !== null && data === undefined);
  const matters = [
    ...chainMatters(chain.data),
    ...jobMatters(jobs.data?.items ?? []),
    ...modelMatters(models.data?.items ?? []),
    ...quotaMatters(quotas.data?.items ?? [], nameOf),
    ...(dashboard.data
      ? [
          ...toolMatters(dashboard.data),
          ...keyMatters(dashboard.data, me.data),
          ...(enabled ? registrationMatters(dashboard.data) : []),
        ]
      : []),
  ].sort((one, other) => Number(other.isGrave ?? false) - Number(one.isGrave ?? false));
  return (
    <Section title="Needs attention">
      {isLoading && matters.length === 0 && <TextShape lines={1} />}
      {failed.length > 0 && (
        <Group justify="space-between" gap="xs" mb={matters.length > 0 ? 'sm' : 0} role="alert">
          <Text size="sm">Not checked, because loading failed: {failed.map(([name]) => name).join(', ')}.</Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => failed.forEach(([, { refetch }]) => void refetch())}
          >
            Try again
          </Button>
        </Group>
      )}
      {!isLoading && failed.length === 0 && matters.length === 0 && (
        <Group gap="xs">
          <IconCircleCheck size={18} className={classes.well} aria-hidden />
          <Text size="sm">All clear.</Text>
        </Group>
      )}
      <ul className={classes.matters}>
        {matters.map(({ title, text, action, isGrave = false }, index) => (
          <li key={index} className={classes.matter} data-grave={isGrave}>
            <IconAlertTriangle size={18} stroke={1.8} aria-hidden />
            <div>
              <Text size="sm" fw={550} component="div">
                {title}
              </Text>
              {text !== undefined && (
                <Text size="sm" c="dimmed" component="div">
                  {text}
                </Text>
              )}
            </div>
            {action && (
              <Button
                component={Link}
                to={action.to}
                onClick={action.onClick}
                size="compact-sm"
                variant="default"
                className={classes.action}
              >
                {action.label}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function chainMatters(chain: Chain | undefined): Matter[] {
  if (chain?.verified === 'broken') {
    const title = 'Audit log entries were changed after they were sealed';
    return [{ title, action: { label: 'Review', to: '/audit' }, isGrave: true }];
  }
  // Before the first seal, there is nothing to verify.
  if (chain?.verified !== 'unchecked' || chain.batches === 0) return [];
  return [{ title: 'Audit log not verified yet', action: { label: 'Verify', to: '/audit' } }];
}

function jobMatters(jobs: readonly Job[]): Matter[] {
  const failing = jobs.filter(({ last_run }) => last_run?.outcome === 'failed').map(({ name }) => name);
  if (failing.length === 0) return [];
  const title = `${countText(failing.length, 'job')} failed`;
  return [{ title, text: failing.join(', '), action: { label: 'Review', to: '/jobs' }, isGrave: true }];
}

function modelMatters(models: readonly Model[]): Matter[] {
  const failing = models.filter(
    ({ status, health: { state } }) => status === 'active' && (state === 'failing' || state === 'paused'),
  );
  return failing.map(({ id, name, health: { last_failure } }) => ({
    title: (
      <>
        Model “<bdi>{name}</bdi>” does not answer
      </>
    ),
    text: last_failure ? failureOf(last_failure) : undefined,
    action: { label: 'Review', to: `/build/models/${encodeURIComponent(id)}` },
    isGrave: true,
  }));
}

function quotaMatters(quotas: readonly Quota[], nameOf: (project: string) => string): Matter[] {
  return quotaWarnings(quotas, nameOf).map((warning) => ({ ...warning, action: { label: 'Review', to: '/limits' } }));
}

function toolMatters({ quarantined }: Dashboard): Matter[] {
  return quarantined.map(({ server_id, name, project, tools }) => ({
    title: (
      <>
        {countText(tools, 'tool')} on “<bdi>{name}</bdi>” {tools === 1 ? 'needs' : 'need'} review
      </>
    ),
    action: {
      label: 'Review',
      to: `/build/mcp/${server_id}?tab=quarantined`,
      onClick: () => chooseProject(project),
    },
  }));
}

function keyMatters({ expiring_keys }: Dashboard, me: Me | undefined): Matter[] {
  return expiring_keys.map(({ name, expires_at, owner }) => {
    const isOwn = owner.id === me?.user_id;
    return {
      title: (
        <>
          API key “<bdi>{name}</bdi>” expires <Time at={expires_at} />
        </>
      ),
      text: isOwn ? undefined : (
        <>
          Owner: <bdi>{owner.name}</bdi>
        </>
      ),
      action: isOwn ? { label: 'Rotate', to: '/settings' } : { label: 'View user', to: `/access/users/${owner.id}` },
    };
  });
}

function registrationMatters({ registration_open }: Dashboard): Matter[] {
  if (!registration_open) return [];
  const text = (
    <>
      Anyone who reaches the{' '}
      <Anchor href="/admin/register" inherit underline="always">
        registration page
      </Anchor>{' '}
      can create an account, including an administrator. To close it, set <Code>SECURITY_ALLOW_REGISTRATION=false</Code>
      .
    </>
  );
  return [{ title: 'Registration is open', text, isGrave: true }];
}
