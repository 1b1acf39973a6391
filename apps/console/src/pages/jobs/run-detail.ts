import type { JobRun } from '../../api/admin-records.js';
import { countText } from '../../ui/figures.js';

type Detail = JobRun['detail'];

const of = (detail: Detail, name: string): number => Number(detail[name] ?? 0);
const sum = (detail: Detail) => Object.values(detail).reduce<number>((total, count) => total + Number(count), 0);

/** The built-in jobs: their purpose, and labels for the details of a run. */
const KNOWN: Readonly<Record<string, { text: string; detail: (detail: Detail) => string }>> = {
  'expire-one-time': {
    text: 'Deletes expired tokens, codes, tasks and stored answers.',
    detail: (detail) => `${countText(sum(detail), 'row')} deleted`,
  },
  'forget-content': {
    text: 'Deletes what deleted conversations, agents, prompts, webhooks, triggers and content have left.',
    detail: (detail) => {
      const conversations = countText(of(detail, 'conversations') + of(detail, 'contexts'), 'conversation');
      const [prompts, webhooks] = [
        countText(of(detail, 'prompts'), 'prompt'),
        countText(of(detail, 'webhooks'), 'webhook'),
      ];
      const triggers = countText(of(detail, 'triggers'), 'trigger');
      return `${conversations}, ${prompts}, ${webhooks}, ${triggers} and ${countText(of(detail, 'words'), 'word')} deleted`;
    },
  },
  'keep-partitions': {
    text: 'Makes the partitions of the next months.',
    detail: (detail) => {
      const made = `${countText(of(detail, 'made'), 'partition')} made`;
      const delayed = of(detail, 'delayed') === 0 ? '' : `; ${countText(of(detail, 'delayed'), 'table')} in use`;
      const unplaced = of(detail, 'unplaced');
      return `${made}${delayed}${unplaced === 0 ? '' : `; ${countText(unplaced, 'table')} with rows in no month`}`;
    },
  },
  'refresh-mcp-tools': {
    text: 'Checks registered MCP servers for changed tools.',
    detail: (detail) => `${countText(of(detail, 'probed'), 'server')} checked`,
  },
  'apply-retention': {
    text: 'Deletes conversations, usage events and audit log events that are past their retention.',
    detail: (detail) => {
      const conversations = countText(of(detail, 'conversations') + of(detail, 'contexts'), 'conversation');
      const [usage, audit] = [of(detail, 'usageEvents'), of(detail, 'audit_rows')];
      return `${conversations}, ${countText(usage, 'usage event')} and ${countText(audit, 'audit log event')} deleted`;
    },
  },
  'remind-of-expiry': {
    text: 'Reminds owners of credentials that expire soon.',
    detail: (detail) => `${countText(of(detail, 'reminded'), 'owner')} reminded`,
  },
  'roll-up-analytics': {
    text: 'Adds up the usage of past days.',
    detail: (detail) => `${countText(of(detail, 'days'), 'day')} added up`,
  },
  'seal-audit': {
    text: 'Seals new audit log events in signed batches.',
    detail: (detail) => {
      const { rows, seals } = { rows: of(detail, 'rows'), seals: of(detail, 'seals') };
      const sealed = rows === 0 ? 'Nothing to seal' : `${countText(rows, 'row')} sealed in ${batches(seals)}`;
      return detail['waiting'] === true ? `${sealed}; waiting for an open transaction` : sealed;
    },
  },
  'verify-audit': {
    text: 'Goes on with a verification of a long audit log.',
    detail: (detail) => {
      if (detail['verified'] == null) return 'Nothing to verify';
      const rows = countText(of(detail, 'rows'), 'row');
      if (detail['verified'] === 'later') return `${rows} verified so far`;
      return `${rows} verified, ${countText(of(detail, 'faults'), 'fault')}`;
    },
  },
  'send-seals': {
    text: 'Sends the hashes of new seals out of the database.',
    detail: (detail) =>
      `${countText(of(detail, 'logged'), 'seal')} logged, ${of(detail, 'posted')} posted, ${of(detail, 'locked')} locked in the bucket`,
  },
};

const batches = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'batch' : 'batches'}`;

const knownOf = (extension: string) => (Object.hasOwn(KNOWN, extension) ? KNOWN[extension] : undefined);

/** A job's purpose; `undefined` for a job handler added by this installation. */
export const jobText = (extension: string): string | undefined => knownOf(extension)?.text;

/** Describes the outcome of a run, in lines. */
export function detailLines(extension: string, { outcome, detail }: Pick<JobRun, 'outcome' | 'detail'>): string[] {
  const known = knownOf(extension);
  if (outcome === 'succeeded' && known) return [known.detail(detail)];
  return Object.entries(detail).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
}
