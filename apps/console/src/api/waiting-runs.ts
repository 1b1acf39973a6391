import { useQuery } from '@tanstack/react-query';
import { areaResource } from './areas.js';
import type { RunPage } from './runtime-records.js';

/** Number of runs on one page of the inbox. The navigation counts waiting runs up to this limit. */
export const INBOX_PAGE = 25;

/** First segments of the key of every query for runs: lists of runs, single runs, steps and approvals. */
export const RUNS_KEY = ['runtime', 'api', 'v1', 'runs'] as const;

export interface WaitingRunsOptions {
  /** Milliseconds between two reads while the page is visible. */
  refreshMs: number;
  cursor?: string;
}

/** A page of the runs that wait for a person: the user's own runs or, for administrators, all runs of the project. */
export const useWaitingRuns = ({ refreshMs, cursor = '' }: WaitingRunsOptions) =>
  useQuery({
    ...areaResource<RunPage>('runtime', '/api/v1/runs', {
      waiting_for: 'approval,input,outcome,connection',
      cursor,
      limit: INBOX_PAGE,
    }),
    refetchInterval: refreshMs,
  });
