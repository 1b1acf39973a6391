import { SimpleGrid, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Busy, Period, Usage } from '../../api/admin-records.js';
import { chooseProject } from '../../api/project.js';
import { DataTable } from '../../ui/data-table.js';
import { costText, countText } from '../../ui/figures.js';
import { Section } from '../../ui/section.js';
import { PERIODS } from './periods.js';

const KINDS = [
  { kind: 'agents', title: 'Busiest agents', noun: 'Agent', uses: 'Messages' },
  { kind: 'skills', title: 'Busiest skills', noun: 'Skill', uses: 'Messages' },
  { kind: 'prompts', title: 'Busiest prompts', noun: 'Prompt', uses: 'Runs' },
] as const;

type Kind = (typeof KINDS)[number]['kind'];

function addressOf(kind: Kind, { id }: Busy): string {
  if (kind === 'prompts') return `/prompts/${id}`;
  return id === 'concierge' ? '/talk/concierge' : `/build/${kind}/${id}`;
}

/** Agents, skills and prompts with the most use in the period. A use of an agent counts for each of its skills. */
export function Busiest({ usage, period }: { usage: UseQueryResult<Usage>; period: Period }) {
  const { data, error, refetch } = usage;
  // The tiles above already show the failure.
  if (error && !data) return null;
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="md" verticalSpacing={0}>
      {KINDS.map(({ kind, title, noun, uses }) => (
        <Section key={kind} title={title} flush>
          <DataTable
            label={title}
            columns={[
              { title: noun, render: (row) => <Name row={row} to={addressOf(kind, row)} /> },
              { title: uses, align: 'right', render: (row) => row.uses.toLocaleString('en') },
            ]}
            query={{ data: data && { items: data.busiest[kind] }, error, refetch }}
            rowKey={({ id, project }) => `${project} ${id}`}
            empty={{ title: `No ${uses.toLowerCase()} in ${PERIODS[period].last}` }}
          />
        </Section>
      ))}
    </SimpleGrid>
  );
}

function Name({ row: { name, project, tokens, cost_usd }, to }: { row: Busy; to: string }) {
  return (
    <div>
      <Text size="sm" fw={550} component="div">
        {name === null ? (
          'Deleted'
        ) : (
          // Selects the record's project, because the page of the record shows only records of the selected project.
          <Link to={to} onClick={() => chooseProject(project)}>
            <bdi>{name}</bdi>
          </Link>
        )}
      </Text>
      <Text size="xs" c="dimmed">
        {countText(tokens, 'token')}
        {cost_usd !== null && ` · ${costText(cost_usd, tokens)}`}
      </Text>
    </div>
  );
}
