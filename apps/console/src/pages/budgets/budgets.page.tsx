import { Badge, Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Budget } from '../../api/platform-records.js';
import type { Column } from '../../ui/data-table.js';
import { countText } from '../../ui/figures.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { BudgetBar } from './budget-bar.js';
import { limitText, subjectText } from './budget-text.js';

const COLUMNS: readonly Column<Budget>[] = [
  { title: 'Budget', render: (budget) => <NamedCell name={budget.name} text={subjectText(budget)} /> },
  {
    title: 'Limit',
    render: (budget) => (
      <Group gap="xs">
        {limitText(budget)}
        {budget.status === 'inactive' && <Badge color="gray">inactive</Badge>}
        {budget.waiting_runs > 0 && <Badge color="orange">{countText(budget.waiting_runs, 'run')} waiting</Badge>}
      </Group>
    ),
  },
  { title: 'Spent', render: (budget) => <BudgetBar budget={budget} /> },
];

const actions = (
  <>
    <Button component={Link} to="/budgets/prices" variant="default">
      Prices
    </Button>
    <Button component={Link} to="/budgets/new" leftSection={<IconPlus size={16} />}>
      Add budget
    </Button>
  </>
);

function BudgetsPage() {
  return (
    <RecordList
      title="Budgets"
      text="The most that calls of models may spend. At the limit, agents wait and prompts are refused."
      noun="budget"
      path="/api/v1/budgets"
      columns={COLUMNS}
      to="/budgets"
      actions={actions}
      empty={{
        title: 'No budgets yet',
        text: 'Add the most that the project, a user, an agent or a key may spend.',
        action: actions,
      }}
    />
  );
}

export { BudgetsPage as Component };
