import { allProjects } from '@millwright/accounts/projects';
import type { Project } from '@millwright/auth';
import {
  changeInSteps,
  deleteInSteps,
  forgetConversations,
  hideConversations,
  newId,
  Prisma,
  type Step,
} from '@millwright/db';
import { forgetAgents } from './forget-agents.js';
import { dropOldPartitions } from './keep-partitions.js';
import { retentionDaysOf, type Retention, type RetentionDays } from './retention-config.js';

/** A statement that deletes at most `limit` rows of a project that are older than `before`. */
type Deletion = (project: string, before: Date, limit: number) => Prisma.Sql;

/** Deletions by kind of row. `applyRetention` adds the statements for conversations with agents and for texts of runs. */
const DELETIONS: Record<Exclude<keyof Retention, 'contexts' | 'runContent'>, Deletion> = {
  conversations: (project, before, limit) =>
    hideConversations(Prisma.sql`
      SELECT id FROM conversations c WHERE project = ${project} AND updated_at < ${before} AND deleted_at IS NULL
         AND NOT EXISTS (SELECT FROM conversations fork WHERE fork.parent_id = c.id AND fork.deleted_at IS NULL)
       ORDER BY updated_at LIMIT ${limit}`),
  // The condition compares ids instead of times: ids are UUIDv7, so earlier ids are smaller.
  runs: (project, before, limit) => Prisma.sql`
    DELETE FROM runs WHERE id = ANY(ARRAY(
      SELECT id FROM runs WHERE project = ${project} AND id < ${firstIdAt(before)}::uuid ORDER BY id LIMIT ${limit}))`,
  usageEvents: (project, before, limit) => Prisma.sql`
    DELETE FROM usage_events WHERE id = ANY(ARRAY(
      SELECT id FROM usage_events
       WHERE project = ${project} AND at < least(${before}, coalesce((SELECT max(day) FROM usage_days)::timestamp AT TIME ZONE 'UTC', '-infinity'))
       ORDER BY at LIMIT ${limit}))`,
  events: (project, before, limit) => Prisma.sql`
    DELETE FROM events WHERE id = ANY(ARRAY(
      SELECT id FROM events WHERE project = ${project} AND created_at < ${before} ORDER BY created_at LIMIT ${limit}))`,
  // A firing is kept until its retention is over: as long as it exists, a repeated message id starts no second run.
  firings: (project, before, limit) => Prisma.sql`
    DELETE FROM trigger_firings WHERE id = ANY(ARRAY(
      SELECT id FROM trigger_firings
       WHERE project = ${project} AND created_at < ${before} AND state NOT IN ('pending', 'started')
       ORDER BY created_at LIMIT ${limit}))`,
};

/**
 * Assigns conversations with agents to an agent that does not exist, so that nobody can read them. They are then deleted in
 * steps, because they may be long.
 */
const toNobody =
  (nobody: string) =>
  (project: string, before: Date, limit: number): Prisma.Sql => Prisma.sql`
    WITH due AS (
      SELECT id FROM contexts
       WHERE project = ${project} AND updated_at < ${before} AND agent_id IS DISTINCT FROM ${nobody}::uuid
       ORDER BY updated_at LIMIT ${limit}),
    noted AS (
      INSERT INTO deleted_agents (id) SELECT ${nobody}::uuid WHERE EXISTS (SELECT FROM due) ON CONFLICT DO NOTHING)
    UPDATE contexts SET agent_id = ${nobody}::uuid WHERE id IN (SELECT id FROM due)`;

/** Divisor of the number of runs per statement: a statement handles fewer runs than other rows, because a run may have 136 steps. */
const ROWS_OF_RUN = 20;

/** Marks ended runs, upon which a trigger of the table removes their texts. The messages in conversations are kept. */
const withoutContent: Deletion = (project, before, limit) => Prisma.sql`
  UPDATE runs SET content_removed_at = now() WHERE id = ANY(ARRAY(
    SELECT id FROM runs WHERE project = ${project} AND ended_at < ${before} AND content_removed_at IS NULL
     ORDER BY ended_at LIMIT ${Math.ceil(limit / ROWS_OF_RUN)}))`;

/** Returns the smallest UUIDv7 (RFC 9562 §5.7) with this time. */
const firstIdAt = (time: Date): string => {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/** Streamed parts of answers. Only followers of a run read these parts; the complete answer is stored elsewhere. */
const streamedTexts = (before: Date, limit: number) => Prisma.sql`
  DELETE FROM run_events WHERE (run_id, seq) IN (
    SELECT run_id, seq FROM run_events WHERE type = 'message.delta' AND at < ${before} LIMIT ${limit})`;

const DAY_MS = 86_400_000;

/** Returns the retention in days of each project that has a retention. */
const daysOf = (retention: RetentionDays, projects: readonly Project[]): [Project, number][] =>
  projects.flatMap((project): [Project, number][] => {
    const days = retentionDaysOf(retention, project);
    return days === undefined ? [] : [[project, days]];
  });

/**
 * Deletes rows and texts of runs that are older than their project's retention, in steps. Usage events are deleted only after their day is
 * summed up. Streamed parts of answers are deleted after a day. Partitions of months that are past the retention of all projects are
 * dropped first, so that no step has to delete their rows.
 *
 * @returns the number of deleted rows by kind, and the number of dropped partitions, whose rows are not counted. `runContent` is the number
 *   of runs whose texts were removed.
 */
export async function applyRetention(
  step: Step,
  retention: Retention,
  now: Date,
): Promise<Record<keyof Retention | 'runTexts' | 'partitions', number>> {
  const counts = {
    conversations: 0,
    contexts: 0,
    runs: 0,
    runContent: 0,
    runTexts: 0,
    usageEvents: 0,
    events: 0,
    firings: 0,
    partitions: 0,
  };
  const projects = await step((tx) => allProjects(tx));
  counts.partitions = await dropOldPartitions(step, retention, projects, now);
  const statements: Record<keyof Retention, Deletion> = {
    ...DELETIONS,
    contexts: toNobody(newId()),
    runContent: withoutContent,
  };
  for (const [kind, statement] of Object.entries(statements) as [keyof Retention, Deletion][])
    for (const [project, days] of daysOf(retention[kind], projects)) {
      const before = new Date(now.getTime() - days * DAY_MS);
      const inSteps = kind === 'runContent' ? changeInSteps : deleteInSteps;
      counts[kind] += await inSteps(step, (limit) => statement(project, before, limit));
    }
  if (counts.contexts > 0) await forgetAgents(step);
  if (counts.conversations > 0) await forgetConversations(step);
  const yesterday = new Date(now.getTime() - DAY_MS);
  counts.runTexts = await deleteInSteps(step, (limit) => streamedTexts(yesterday, limit));
  return counts;
}
