import { findRunnableAgent } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import { createGuards, recordFindings, type AskFilter } from '@millwright/guards';
import { renderInput } from '@millwright/runs/triggers';
import type { TriggerRunner } from './trigger-runner.js';

/**
 * The message of a post: `rendered` is the message from the template, and `left` is the message after the external guards of the agent
 * redacted it. `left` is undefined when the guards blocked the message.
 */
export interface GuardedPost {
  rendered: string;
  left: string | undefined;
}

/**
 * Sends a posted message to the external guards of the trigger's agent, before the transaction that stores the message.
 *
 * @returns undefined when no external guard applies
 */
export const createPostGuard =
  (db: Database, triggers: Pick<TriggerRunner['triggers'], 'findTemplate'>, askFilter: AskFilter) =>
  async (id: string, at: Date, body: string): Promise<GuardedPost | undefined> => {
    const trigger = await triggers.findTemplate(id);
    if (!trigger) return undefined;
    const { name, project, actor } = trigger;
    const agent = await findRunnableAgent(db, project, trigger.agent);
    const policies = agent?.guard_policies ?? [];
    const rendered = renderInput(trigger.input, { trigger: name, at, body });
    if (rendered === undefined || !policies.some(({ filters = [] }) => filters.length > 0)) return undefined;
    const place = { caller: { project, actor }, resource: encodeId('trg', id), detail: { agent: trigger.agent } };
    const guards = createGuards(policies, (point, findings) => recordFindings(db, place, point, findings), askFilter);
    const { value, blocked } = await guards.text('input', rendered);
    return { rendered, left: blocked ? undefined : value };
  };
