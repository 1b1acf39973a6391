import type { ReactNode } from 'react';

/** The filter and measure of the usage page, and the controls that change them. */
export interface ShownUsage {
  /** The project, `undefined` for all, and the first and last day. */
  filter: { project: string | undefined; from: string; to: string };
  /** The measure of the chart, as in the URL. */
  measure: string;
  onMeasure: (measure: string) => void;
  actions: ReactNode;
  grouping: ReactNode;
}
