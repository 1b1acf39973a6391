import type { ReactNode } from 'react';
import type { DailyChartProps } from './daily-chart.js';

/** The content of the page Usage, for calls of models or for calls of tools. */
export interface UsageView {
  /** Text below the page's heading that explains what the figures count. */
  text: string;
  hasFailed: boolean;
  /** Tiles with the totals. */
  totals: ReactNode;
  measures: Readonly<Record<string, string>>;
  measure: string;
  /** Properties of the chart; undefined while the figures load. */
  chart: DailyChartProps | undefined;
  /** Text that replaces the chart when there was no call. */
  none: string | undefined;
  /** One row of the table in the singular: "model". */
  noun: string;
  table: ReactNode;
}

export interface UsageFilter {
  /** Project whose usage is shown; `undefined` for all projects. */
  project: string | undefined;
  /** First and last day of the period. */
  from: string;
  to: string;
}

export interface UsageViewOptions {
  filter: UsageFilter;
  /** Name of the measure that the chart shows, as in the page's address. */
  measure: string;
  enabled: boolean;
}
