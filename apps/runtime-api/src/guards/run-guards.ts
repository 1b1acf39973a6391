import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, type Database, type Tx } from '@millwright/db';
import {
  createGuards,
  recordFindings,
  recordInputFindings,
  requireAllowed,
  type Finding,
  type Guards,
} from '@millwright/guards';
import type { Logger, Work } from '@millwright/http/process';
import type { ToolResult } from '../tools/tool.js';

/** The guards of an executing run. Their finds are audited before the text is used. */
export const openRunGuards = (db: Database, caller: Caller, agent: RunnableAgent, runId: string): Guards =>
  createGuards(agent.guard_policies, (point, findings) =>
    recordFindings(db, { caller, resource: runId, detail: { agent: agent.slug } }, point, findings),
  );

/** The input that starts a run. */
export interface RunInput {
  caller: Caller;
  agent: RunnableAgent;
  content: string;
  metadata?: object | undefined;
}

/** The storable form of the input that starts a run, with the finds in it. */
export interface GuardedInput extends Pick<RunInput, 'content' | 'metadata'> {
  findings: readonly Finding[];
}

export interface InputGuardDeps {
  db: Database;
  work: Pick<Work, 'track'>;
  logger: Pick<Logger, 'warn'>;
}

/** Checks the input that starts a run before any part of it is stored. */
export function createInputGuard({ db, work, logger }: InputGuardDeps) {
  /** Recorded outside the transaction, without delaying the response. */
  function recordBlocked({ caller, agent }: RunInput, findings: readonly Finding[]): void {
    const place = { caller, resource: encodeId('ag', agent.id), detail: { agent: agent.slug } };
    const recorded = recordFindings(db, place, 'input', findings);
    void work.track(recorded.catch((err: unknown) => logger.warn({ err }, 'a blocked message was not recorded')));
  }

  return {
    /** @throws GuardBlocked */
    async check(input: RunInput): Promise<GuardedInput> {
      const { agent, content, metadata } = input;
      const findings: Finding[] = [];
      const guards = createGuards(agent.guard_policies, (_point, found) => void findings.push(...found));
      const message = await guards.text('input', content);
      const values = await guards.value('input', metadata);
      if (message.blocked ?? values.blocked) recordBlocked(input, findings);
      return {
        content: requireAllowed(message),
        findings,
        ...(metadata && { metadata: requireAllowed(values) }),
      };
    },

    /** Redacts the protocol data that a channel stores with the run. */
    protocolInput: async (agent: RunnableAgent, input: object | undefined): Promise<object | undefined> =>
      (await createGuards(agent.guard_policies).value('input', input)).value,

    /** Records the finds in the transaction that starts the run. */
    record: (tx: Tx, { caller, agent }: RunInput, runId: string, findings: readonly Finding[]): Promise<void> =>
      recordInputFindings(tx, { caller, resource: encodeId('run', runId), detail: { agent: agent.slug } }, findings),
  };
}

/** Guards a tool's result; the returned form is stored and sent to the model. */
export async function guardToolResult(guards: Guards, result: ToolResult): Promise<ToolResult> {
  const content = await guards.json('tools', result.content);
  const error = result.error && (await guards.text('tools', result.error.text));
  const blocked = content.blocked ?? error?.blocked;
  return {
    ...result,
    content: content.value,
    ...(result.error && error && { error: { ...result.error, text: error.value } }),
    ...(blocked && { blocked }),
  };
}
