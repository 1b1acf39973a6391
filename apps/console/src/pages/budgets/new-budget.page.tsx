import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Budget } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { useAction } from '../../ui/use-action.js';
import { FormColumn } from '../record/record-columns.js';
import { BudgetForm, type BudgetFields } from './budget-form.js';

const EMPTY: BudgetFields = {
  ...{ name: '', status: 'active', level: 'project', subject_id: '' },
  ...{ period: 'month', unit: 'usd', amount: '' },
};

function NewBudgetPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ budget: { subject_id, ...fields } }: { budget: BudgetFields; saved: () => void }) =>
      askArea<Budget>('platform', 'POST', '/api/v1/budgets', {
        ...fields,
        ...(fields.level !== 'project' && { subject_id }),
      }),
    {
      refresh: QUERY_KEYS.budgets,
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/budgets/${id}`);
      },
    },
  );
  return (
    <FormColumn>
      <BackLink to="/budgets">Budgets</BackLink>
      <PageHeader title="Add budget" text="It counts from now on." />
      <BudgetForm
        budget={EMPTY}
        isNew
        isSaving={create.isPending}
        onSave={(budget, saved) => create.mutate({ budget, saved })}
      />
    </FormColumn>
  );
}

export { NewBudgetPage as Component };
