import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { Budget } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { countText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { Section } from '../../ui/section.js';
import { useSave } from '../../ui/use-save.js';
import { Details } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { BudgetBar } from './budget-bar.js';
import { BudgetForm, type BudgetFields } from './budget-form.js';
import { amountText, limitText, subjectText } from './budget-text.js';

function BudgetPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/budgets/${encodeURIComponent(id)}`;
  const budget = useQuery(areaRecord<Budget>('platform', path));
  return (
    <RecordPage back={{ to: '/budgets', label: 'Budgets' }} title="Budget" query={budget}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

const fieldsOf = ({ name, status, level, subject, period, unit, amount }: Budget): BudgetFields => ({
  ...{ name, status, level, period, unit, amount },
  subject_id: subject?.id ?? '',
});

function Detail({ path, found: { record: budget, etag } }: { path: string; found: Versioned<Budget> }) {
  const { name, level, subject, unit, window, waiting_runs } = budget;
  const isOfRun = level === 'run';
  const fields = fieldsOf(budget);
  const save = useSave(
    ({ name: newName, amount, status }: BudgetFields, readEtag) =>
      askArea<Budget>('platform', 'PATCH', path, { name: newName, amount, status }, matching(readEtag)),
    { refresh: QUERY_KEYS.budgets, done: 'Saved.' },
  );
  return (
    <>
      <PageHeader
        title={isOfRun ? 'Budget of a run' : name}
        text={`${subjectText(budget)}: ${limitText(budget)}`}
        actions={<AuditLogLink filters={{ resource: budget.id }} />}
      />
      {waiting_runs > 0 && (
        <Alert color="orange" py="xs" mb="lg" title={`${countText(waiting_runs, 'run')} waiting`}>
          They go on once the amount is raised{window.ends_on === null ? '.' : ', or on '}
          {window.ends_on !== null && `${window.ends_on} (UTC).`}
        </Alert>
      )}
      <RecordColumns
        aside={
          <Details
            record={budget}
            facts={[
              ...(isOfRun && subject
                ? [
                    [
                      'Run',
                      <Link key="run" to={`/runs/${subject.id}`}>
                        {subject.id}
                      </Link>,
                    ] as const,
                  ]
                : []),
              ['Reserved', amountText(unit, window.reserved)],
              ...(window.starts_on === null ? [] : [['Since', `${window.starts_on} (UTC)`] as const]),
            ]}
          />
        }
      >
        <Section title="Spent">
          <BudgetBar budget={budget} />
        </Section>
        <BudgetForm
          key={JSON.stringify(fields)}
          budget={fields}
          hasStatus={!isOfRun}
          isSaving={save.isPending}
          onSave={(changed) => save.mutate({ values: changed, etag })}
        />
        {!isOfRun && (
          <DeleteSection
            noun="budget"
            name={name}
            consequence="What it counts is limited no more, and runs that wait for it go on."
            work={() => askArea('platform', 'DELETE', path)}
            refresh={QUERY_KEYS.budgets}
            to="/budgets"
          />
        )}
      </RecordColumns>
    </>
  );
}

export { BudgetPage as Component };
