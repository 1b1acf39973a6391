import type { Project } from '@millwright/auth';
import { ProjectId } from '@millwright/auth/projects';
import { field } from '@millwright/config';
import { z } from 'zod';

/** Key of the entry that applies to all projects without an entry. */
export const EVERY_PROJECT = '*';

/**
 * Days after which rows are deleted, by project. A project without an entry has the entry of `EVERY_PROJECT`. Without that entry, its rows
 * are kept.
 */
export type RetentionDays = Readonly<Record<Project, number>>;

const reasonOf = (least: number) =>
  `must be days from ${least} to 36500, for all projects (90) or for each (Core=90,Commerce=365)`;

const ENTRY = /^ *(?:([A-Za-z0-9-]+)=)?(\d{1,5}) *$/;

function parseDays(text: string, least: number): RetentionDays | undefined {
  const found: Record<Project, number> = {};
  for (const entry of text.split(',')) {
    const [, named, days] = ENTRY.exec(entry) ?? [];
    const count = Number(days);
    if (!(count >= least && count <= 36_500)) return undefined;
    const project = named === undefined ? EVERY_PROJECT : ProjectId.safeParse(named).data;
    if (project === undefined) return undefined;
    if (Object.hasOwn(found, project) || Object.hasOwn(found, EVERY_PROJECT)) return undefined;
    found[project] = count;
  }
  return Object.keys(found).length > 1 && Object.hasOwn(found, EVERY_PROJECT) ? undefined : found;
}

const days = (least = 1) =>
  z.string().transform((text, context): RetentionDays => {
    const found = parseDays(text, least);
    if (found) return found;
    context.addIssue({ code: 'custom', message: reasonOf(least) });
    return z.NEVER;
  });

/** Days after which rows of each kind are deleted. Without a setting, its default applies. Without a default, rows are kept for ever. */
export const retentionConfig = {
  /** Conversations of the prompt API, after their last change. */
  RETENTION_CONVERSATIONS_DAYS: days().optional(),
  /** Conversations with agents, with their messages and tasks, after their last message. */
  RETENTION_CONTEXTS_DAYS: days().optional(),
  /** Runs of agents and prompts with their steps, after their start. */
  RETENTION_RUNS_DAYS: days().prefault('90'),
  /** Texts of runs, after the end of the run; the figures are kept. 0: removed by the next run of the job. */
  RETENTION_RUN_CONTENT_DAYS: days(0).optional(),
  /** Single model calls; the daily sums are kept. */
  RETENTION_USAGE_EVENTS_DAYS: days().optional(),
  /** Events for webhooks with their deliveries, and firings of triggers. */
  RETENTION_EVENTS_DAYS: days().prefault('30'),
  /** Sealed rows of the audit log, of all projects. The database also refuses less than 90 days. */
  AUDIT_RETENTION_DAYS: field.integer(90, 36_500).optional(),
};

/** The kinds of rows with a retention. */
export interface Retention {
  conversations: RetentionDays;
  contexts: RetentionDays;
  runs: RetentionDays;
  runContent: RetentionDays;
  usageEvents: RetentionDays;
  events: RetentionDays;
  firings: RetentionDays;
}

/** Returns the retention of a project in days; `undefined` when its rows are kept. */
export const retentionDaysOf = (retention: RetentionDays, project: Project): number | undefined =>
  retention[project] ?? retention[EVERY_PROJECT];

/** Returns the number of days after which the rows of every project are past their retention; `undefined` when a project keeps its rows. */
export function longestRetention(retention: RetentionDays, projects: readonly Project[]): number | undefined {
  const days = projects.map((project) => retentionDaysOf(retention, project));
  const known = days.filter((count) => count !== undefined);
  return known.length === days.length && known.length > 0 ? Math.max(...known) : undefined;
}

export type RetentionConfig = Partial<z.output<z.ZodObject<typeof retentionConfig>>>;

export const retentionOf = (config: RetentionConfig): Retention => ({
  conversations: config.RETENTION_CONVERSATIONS_DAYS ?? {},
  contexts: config.RETENTION_CONTEXTS_DAYS ?? {},
  runs: config.RETENTION_RUNS_DAYS ?? {},
  runContent: config.RETENTION_RUN_CONTENT_DAYS ?? {},
  usageEvents: config.RETENTION_USAGE_EVENTS_DAYS ?? {},
  events: config.RETENTION_EVENTS_DAYS ?? {},
  firings: config.RETENTION_EVENTS_DAYS ?? {},
});
