import { Badge, Group, Progress, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { resource } from '../../api/api.js';
import type { Items, Quota } from '../../api/admin-records.js';
import { useProjectName } from '../../api/projects.js';
import { DataTable, type Column } from '../../ui/data-table.js';
import { sizeText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { Time } from '../../ui/time.js';
import { kindText, levelOf, percentText } from './quota-text.js';

const REFRESH_MS = 60_000;

const numberText = (count: number) => count.toLocaleString('en');

const COLUMNS: Column<Quota>[] = [
  {
    title: 'Kind',
    render: ({ kind, own, share }) => (
      <div>
        <Group gap="xs">
          <Text size="sm" fw={550}>
            {kindText(kind).title}
          </Text>
          {levelOf(share) !== 'ample' && (
            <Badge color={levelOf(share) === 'used up' ? 'red' : 'orange'}>{levelOf(share)}</Badge>
          )}
          {own && <Badge color="gray">own limit</Badge>}
        </Group>
        <Text size="xs" c="dimmed">
          {kindText(kind).text}
        </Text>
      </div>
    ),
  },
  {
    title: 'Records',
    render: ({ used, limit }) => <Bar name="Records" used={used.rows} limit={limit.rows} text={numberText} />,
  },
  {
    title: 'Storage',
    render: ({ used, limit }) => <Bar name="Storage" used={used.bytes} limit={limit.bytes} text={sizeText} />,
  },
  { title: 'Last refused', render: ({ refused_at }) => <Time at={refused_at} none="Never" /> },
];

function LimitsPage() {
  const quotas = useQuery({ ...resource<Items<Quota>>('/quotas'), refetchInterval: REFRESH_MS });
  const nameOf = useProjectName();
  const projects = Map.groupBy(quotas.data?.items ?? [], ({ project }) => project);
  const shown = projects.size > 0 ? [...projects] : [['Project', undefined] as const];
  return (
    <>
      <PageHeader
        title="Limits"
        text="What each project stores, and how much it may store. At a limit, changes that add more are refused; deletions are not."
      />
      {shown.map(([project, items]) => (
        <Section key={project} title={nameOf(project)} flush>
          <DataTable
            label={`Limits of ${nameOf(project)}`}
            columns={COLUMNS}
            query={{ ...quotas, data: items && { items } }}
            rowKey={({ kind }) => kind}
            empty={{ title: 'No limits', text: 'This project has no limits.' }}
          />
        </Section>
      ))}
      <Text size="sm" c="dimmed">
        An operator changes the limits with the settings QUOTA_* of admin-auth, and those of one project with the
        command “millwright admin quotas set”.
      </Text>
    </>
  );
}

interface BarProps {
  name: string;
  used: number;
  limit: number;
  text: (amount: number) => string;
}

function Bar({ name, used, limit, text }: BarProps) {
  const share = used / Math.max(limit, 1);
  const color = { ample: 'mill', 'nearly used': 'orange', 'used up': 'red' }[levelOf(share)];
  return (
    <div>
      <Text size="sm">
        {text(used)} of {text(limit)} ({percentText(used, limit)})
      </Text>
      <Progress value={Math.min(share, 1) * 100} color={color} aria-label={name} mt={4} miw={140} />
    </div>
  );
}

export { LimitsPage as Component };
