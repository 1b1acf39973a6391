/**
 * Number of days after the deletion of an agent for which its runs may continue. The limit is needed because some waits of a run have no
 * other time limit.
 */
const FINISH_DAYS = 30;

/** SQL condition: runs of a deleted agent may still continue with the kept version `version`, an alias of `deleted_agent_versions`. */
export const isFinishing = (version: string): string => `${version}.at > now() - interval '${FINISH_DAYS} days'`;

/**
 * SQL condition: the run `run` may finish although its agent was deleted. The run had begun before the deletion, and
 * the version that it uses is kept. Columns of `run`: `subject_id`, `subject_version`, `started_at`.
 */
export const mayFinishDeleted = (run: string): string => `EXISTS (
  SELECT FROM deleted_agent_versions k
   WHERE k.agent_id = ${run}.subject_id AND k.version = ${run}.subject_version AND k.at >= ${run}.started_at AND ${isFinishing('k')})`;
