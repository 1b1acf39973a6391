import type { ModelTestResult } from '../../api/platform-records.js';

type Kind = NonNullable<ModelTestResult['failure']>['kind'];

const KINDS: Readonly<Record<Kind, string>> = {
  timeout: 'No answer in time',
  rate_limited: 'Rate limited',
  failed: 'The server failed',
  unreachable: 'Unreachable',
  rejected: 'Rejected',
  garbage: 'Unreadable answer',
};

export interface ModelFailure {
  kind: Kind;
  status: number | null;
  message: string | null;
}

/** A failure in one line, such as "Rejected (401): Incorrect API key provided". */
export function failureOf({ kind, status, message }: ModelFailure): string {
  return `${KINDS[kind]}${status === null ? '' : ` (${status})`}${message === null || message === '' ? '' : `: ${message}`}`;
}
