import { Button, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { ChartShape } from '../../ui/loading.js';
import { PageHeader } from '../../ui/page-header.js';
import { ProjectPeriod, useShownProject } from '../../ui/project-period.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { DailyChart } from './chart.js';
import { daysOf, PERIOD_DAYS } from './usage-data.js';
import { GROUPINGS, useModelUsage, type Grouping } from './use-model-usage.js';
import { useToolUsage } from './use-tool-usage.js';

const PERIODS = { '7d': '7 days', '30d': '30 days', '90d': '90 days' };
const choicesOf = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

/** Shows calls of models or of tools over time. Both views use the same elements, so that the select that changes the view keeps the focus. */
function UsagePage() {
  const { values, set } = useUrlState(['by', 'measure', 'period', 'project']);
  const shown = useShownProject(values.project);
  const isOfTools = values.by === 'tool';
  const by = Object.hasOwn(GROUPINGS, values.by) ? (values.by as Grouping) : 'model';
  const period = Object.hasOwn(PERIOD_DAYS, values.period) ? (values.period as keyof typeof PERIOD_DAYS) : '30d';
  const common = { filter: { project: shown.project, ...daysOf(period, new Date()) }, measure: values.measure };
  const ofModels = useModelUsage({ ...common, by, enabled: !isOfTools });
  const ofTools = useToolUsage({ ...common, enabled: isOfTools });
  const view = isOfTools ? ofTools : ofModels;
  return (
    <>
      <PageHeader
        title="Usage"
        text={view.text}
        actions={
          <ProjectPeriod
            shown={shown}
            onProject={(next) => set({ project: next })}
            periods={PERIODS}
            period={period}
            onPeriod={(next) => set({ period: next === '30d' ? null : next })}
          >
            {shown.mayChoose && (
              <Button component={Link} to="/reports/internal" variant="default">
                Monthly report
              </Button>
            )}
          </ProjectPeriod>
        }
      />
      {!view.hasFailed && view.totals}
      {!view.hasFailed && (
        <Section
          title={`${view.measures[view.measure]} by day`}
          actions={
            <SegmentedControl
              size="xs"
              aria-label="Measure"
              data={choicesOf(view.measures)}
              value={view.measure}
              onChange={(next) => set({ measure: next })}
            />
          }
        >
          {view.none === undefined ? (
            <Suspense fallback={<ChartShape />}>
              {view.chart ? <DailyChart {...view.chart} /> : <ChartShape />}
            </Suspense>
          ) : (
            <Text size="sm">{view.none}</Text>
          )}
        </Section>
      )}
      <Section
        title={`By ${view.noun}`}
        actions={
          <NativeSelect
            aria-label="Group by"
            size="xs"
            data={choicesOf({ ...GROUPINGS, tool: 'Tool' })}
            value={isOfTools ? 'tool' : by}
            onChange={({ currentTarget: { value } }) => set({ by: value === 'model' ? null : value, measure: null })}
          />
        }
        flush
      >
        {view.table}
      </Section>
    </>
  );
}

export { UsagePage as Component };
