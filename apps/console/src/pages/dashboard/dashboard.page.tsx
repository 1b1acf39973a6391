import { SimpleGrid } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { resource } from '../../api/api.js';
import type { Dashboard, Me, Usage } from '../../api/admin-records.js';
import { AddressList } from '../../ui/address-list.js';
import { Failure } from '../../ui/failure.js';
import { limitedText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { ProjectPeriod, useShownProject } from '../../ui/project-period.js';
import { Section } from '../../ui/section.js';
import { Stat } from '../../ui/stat.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { Activity } from './activity.js';
import { AreaHealth } from './area-health.js';
import { Attention } from './attention.js';
import { Busiest } from './busiest.js';
import { Figures } from './figures.js';
import { GetStarted } from './get-started.js';
import { periodOf, PERIODS, periodText } from './periods.js';

const AGAIN_MS = 30_000;
const periods = Object.fromEntries(Object.entries(PERIODS).map(([value, { short }]) => [value, short]));

/** The page keeps period and project in its address, so that they survive a reload and Back restores the earlier period and project. */
function DashboardPage() {
  const { values, set } = useUrlState(['period', 'project']);
  const period = periodOf(values.period);
  const me = useQuery(resource<Me>('/me'));
  const chosen = useShownProject(values.project);
  const { project } = chosen;
  const dashboard = useQuery({ ...resource<Dashboard>('/dashboard', { project }), refetchInterval: AGAIN_MS });
  const usage = useQuery({
    ...resource<Usage>('/dashboard/usage', { period, project }),
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
  const shown = dashboard.data?.project;
  const records = dashboard.data?.records;
  const hasFailed = dashboard.error !== null && !dashboard.data;
  return (
    <>
      <PageHeader
        title="Dashboard"
        text={shown ? `Activity in ${shown}.` : 'Activity across this installation.'}
        actions={
          <ProjectPeriod
            shown={chosen}
            onProject={(next) => set({ project: next })}
            periods={periods}
            period={period}
            onPeriod={(next) => set({ period: periodText(next) })}
          />
        }
      />
      {hasFailed && <Failure error={dashboard.error} retry={() => void dashboard.refetch()} />}
      {records?.agents === 0 && <GetStarted />}
      <Figures usage={usage} period={period} />
      <Attention dashboard={dashboard} />
      <Busiest usage={usage} period={period} />
      <AreaHealth />
      {me.data?.is_admin && <Activity />}
      {!hasFailed && (
        <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md" mb="lg">
          <Stat label="Enabled users" value={records && limitedText(records.users)} to="/access/users?status=active" />
          <Stat label="Skills" value={records?.skills} to="/build/skills" />
          <Stat label="Agents" value={records?.agents} to="/build/agents" />
          <Stat label="Prompts" value={records?.prompts} to="/prompts" />
        </SimpleGrid>
      )}
      <Section
        title="API endpoints"
        text={
          <>
            See <Link to="/setup">Get started</Link> for sample calls.
          </>
        }
      >
        <AddressList />
      </Section>
    </>
  );
}

export { DashboardPage as Component };
