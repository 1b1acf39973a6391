import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { areaResource } from '../../api/areas.js';
import type { Budget } from '../../api/platform-records.js';
import { ListSection } from '../../ui/list-section.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { BudgetBar } from '../budgets/budget-bar.js';
import { limitText, subjectText } from '../budgets/budget-text.js';

const PATH = '/api/v1/budgets/mine';

const COLUMNS: readonly Column<Budget>[] = [
  { title: 'Budget', render: (budget) => <NamedCell name={budget.name} text={subjectText(budget)} /> },
  {
    title: 'Limit',
    render: (budget) => (
      <Group gap="xs">
        {limitText(budget)}
        {budget.window.ends_on !== null && (
          <Text size="xs" c="dimmed">
            until {budget.window.ends_on} (UTC)
          </Text>
        )}
      </Group>
    ),
  },
  { title: 'Spent', render: (budget) => <BudgetBar budget={budget} /> },
];

/** The budgets of the user's account, keys and triggers, each with the amount spent. */
export function OwnBudgets() {
  const budgets = useQuery(areaResource<{ items: Budget[] }>('platform', PATH));
  return (
    <ListSection
      title="Budgets"
      text="The most that your runs may spend. At the limit, agents wait and prompts are refused; an admin can raise it."
      columns={COLUMNS}
      query={{ ...budgets, data: budgets.data }}
      rowKey={({ id }) => id}
      empty={{
        title: 'No budgets',
        text: 'Nothing limits what your runs spend, besides those of the project and its agents.',
      }}
    />
  );
}
