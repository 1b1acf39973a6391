import type { ReactNode } from 'react';

/** What the page of usage shows, and the controls that change it. */
export interface ShownUsage {
  /** Whose usage, and of which days. */
  filter: { project: string | undefined; from: string; to: string };
  /** What the chart shows, as the address has it. */
  measure: string;
  onMeasure: (measure: string) => void;
  actions: ReactNode;
  grouping: ReactNode;
}
