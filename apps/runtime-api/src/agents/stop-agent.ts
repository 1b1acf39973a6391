import { recordDecision } from '@millwright/audit';
import type { Caller, Project } from '@millwright/auth';
import { bumpAgentVersions } from '@millwright/catalog';
import { encodeId, type Tx } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { createWork, type Logger, type Work } from '@millwright/http/process';
import { CONCIERGE } from '../concierge/concierge.js';
import type { StoppedAgent } from './agents.contract.js';

export interface AgentPlace {
  project: Project;
  /** Row id of the agent. */
  id: string;
}

export interface StopDeps {
  service: {
    parts: {
      /** Cancels the running runs of an agent. With `all`, also cancels queued and waiting runs. */
      ender: { cancelRuns: (agent: AgentPlace, all: boolean) => Promise<void> };
      runs: { hasActive: (tx: Tx, agent: { project: Project; agentId: string }) => Promise<boolean> };
    };
  };
  logger: Logger;
  work?: Work | undefined;
}

interface AgentRow {
  id: string;
  project: Project;
  slug: string;
  stopped_at: Date | null;
}

/** The result of a stop or a release: the body of the answer, and the agent whose runs `cancelRuns` cancels. */
export interface Stopped {
  body: StoppedAgent;
  agent: Pick<AgentRow, 'id' | 'project'>;
}

/**
 * Stops agents and releases them again. A stopped agent starts no runs. The stop waits for starts that are not committed yet, and cancels
 * their runs too.
 */
export function createAgentStop({ service, logger, work = createWork() }: StopDeps) {
  /** Locks an agent's row, so that no run of the agent starts meanwhile. @throws AppError not_found; validation_error for the built-in agent */
  async function lock(tx: Tx, { project }: Caller, slug: string): Promise<AgentRow> {
    if (slug === CONCIERGE.slug) throw invalidField('agent_name', 'is built in');
    const [row] = await tx.$queryRaw<AgentRow[]>`
      SELECT id, project, slug, stopped_at FROM agents WHERE project = ${project} AND slug = ${slug} FOR UPDATE`;
    if (!row) throw new AppError('not_found');
    return row;
  }

  async function change(tx: Tx, caller: Caller, { id, slug }: AgentRow, action: string, stoppedAt: Date | null) {
    await tx.agent.update({ where: { id }, data: { stopped_at: stoppedAt } });
    await bumpAgentVersions(tx, caller.actor, [id]);
    const { actor, project } = caller;
    await recordDecision(tx, { actor, project, action, resource: encodeId('ag', id), detail: { agent: slug } });
  }

  /** Cancels the remaining runs without delaying the answer. If this process dies, another process cancels them. */
  function cancelRest(agent: Stopped['agent']): void {
    const canceled = service.parts.ender.cancelRuns(agent, true).catch((err: unknown) => {
      logger.warn({ err }, 'runs of a stopped agent are not canceled yet');
    });
    void work.track(canceled);
  }

  return {
    /** Stops the agent; `cancelRuns` then has to be called after the commit. @throws AppError not_found; validation_error for the built-in agent */
    async stop(tx: Tx, caller: Caller, slug: string): Promise<Stopped> {
      const row = await lock(tx, caller, slug);
      const stoppedAt = row.stopped_at ?? new Date();
      if (row.stopped_at === null) await change(tx, caller, row, 'agent.stop', stoppedAt);
      return { body: { name: slug, stopped_at: stoppedAt.toISOString() }, agent: row };
    },

    /** Cancels the agent's runs: first the executing runs of all processes, then the queued and waiting ones. Call it after the stop is committed. */
    async cancelRuns({ agent }: Stopped): Promise<void> {
      await service.parts.ender.cancelRuns(agent, false);
      cancelRest(agent);
    },

    /**
     * Releases the agent. @throws AppError not_found; validation_error for the built-in agent; conflict while the agent has runs, which are then
     * canceled
     */
    async release(tx: Tx, caller: Caller, slug: string): Promise<Stopped> {
      const row = await lock(tx, caller, slug);
      if (row.stopped_at !== null) {
        if (await service.parts.runs.hasActive(tx, { project: row.project, agentId: row.id })) {
          cancelRest(row);
          const fields = [{ field: 'agent_name', reason: 'has runs that are being canceled' }];
          throw new AppError('conflict', { fields, retryAfter: 1 });
        }
        await change(tx, caller, row, 'agent.release', null);
      }
      return { body: { name: slug, stopped_at: null }, agent: row };
    },
  };
}
export type AgentStop = ReturnType<typeof createAgentStop>;
