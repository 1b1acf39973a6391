import type { ReactNode } from 'react';
import type { DailyChartProps } from './daily-chart.js';

/** The subject of the page: calls of models, or calls of tools. */
export interface UsageView {
  /** The subject, below the page's heading. */
  text: string;
  hasFailed: boolean;
  /** The totals, as tiles. */
  totals: ReactNode;
  measures: Readonly<Record<string, string>>;
  measure: string;
  /** Undefined while loading. */
  chart: DailyChartProps | undefined;
  /** Replaces the chart when there was no call. */
  none: string | undefined;
  /** One row of the table in the singular: "model". */
  noun: string;
  table: ReactNode;
}

export interface UsageFilter {
  /** `undefined`: all projects. */
  project: string | undefined;
  /** First and last day. */
  from: string;
  to: string;
}

export interface UsageViewOptions {
  filter: UsageFilter;
  /** The measure of the chart, as in the URL. */
  measure: string;
  enabled: boolean;
}
