import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { encodeId, type Database, type Tx } from '@millwright/db';
import {
  createGuards,
  recordFindings,
  recordInputFindings,
  requireAllowed,
  type AskFilter,
  type Finding,
  type Guards,
} from '@millwright/guards';
import type { Logger, Work } from '@millwright/http/process';
import { isNew, type MessageImage, type SentImage } from '@millwright/runs/message-images';
import type { ToolResult } from './tool.js';

/** Returns the guards of a run that is executed. Their finds are audited before the checked text is used. */
export const openRunGuards = (
  db: Database,
  askFilter: AskFilter,
  caller: Caller,
  agent: RunnableAgent,
  runId: string,
): Guards =>
  createGuards(
    agent.guard_policies,
    (point, findings) =>
      recordFindings(db, { caller, resource: runId, detail: { agent: agent.slug } }, point, findings),
    askFilter,
  );

/**
 * Returns the protocol data that a channel stores with a run. Its arguments are the row ids of run and conversation, the stored message,
 * and the images of the message.
 */
export type ProtocolInput = (
  runId: string,
  contextId: string,
  content: string,
  images: readonly MessageImage[],
) => object;

/** The input that starts a run. */
export interface RunInput {
  caller: Caller;
  agent: RunnableAgent;
  content: string;
  images?: readonly SentImage[] | undefined;
  metadata?: object | undefined;
  input?: ProtocolInput | undefined;
}

/** The input that starts a run after the guards have checked it, in the form in which it may be stored. */
export interface GuardedInput extends Pick<RunInput, 'content' | 'images' | 'metadata'> {
  findings: readonly Finding[];
  /** The guards that checked the input. The run reuses their decisions about the same texts. */
  guards: Guards;
}

export interface InputGuardDeps {
  db: Database;
  askFilter: AskFilter;
  work: Pick<Work, 'track'>;
  logger: Pick<Logger, 'warn'>;
}

/** Placeholder for the ids of records that do not exist yet. */
const UNKNOWN = '00000000-0000-0000-0000-000000000000';

/** Checks the input that starts a run before any part of it is stored. */
export function createInputGuard({ db, askFilter, work, logger }: InputGuardDeps) {
  /** Audits a blocked input in a separate transaction. The response does not wait for it. */
  function recordBlocked({ caller, agent }: RunInput, findings: readonly Finding[]): void {
    const place = { caller, resource: encodeId('ag', agent.id), detail: { agent: agent.slug } };
    const recorded = recordFindings(db, place, 'input', findings);
    void work.track(recorded.catch((err: unknown) => logger.warn({ err }, 'a blocked message was not recorded')));
  }

  return {
    /** Checks an input. @throws GuardBlocked when a guard blocks a text of the input */
    async check(input: RunInput): Promise<GuardedInput> {
      const { agent, content, images = [], metadata } = input;
      const findings: Finding[] = [];
      const guards = createGuards(agent.guard_policies, (_point, found) => void findings.push(...found), askFilter);
      const message = await guards.text('input', content);
      const values = await guards.value('input', metadata);
      const named = images.filter(isNew);
      const names = await guards.value(
        'input',
        named.map(({ name }) => name),
      );
      // The guards are called here and not in the transaction that stores the data and starts the run, because that transaction must not
      // wait for an external guard.
      const protocol = message.blocked ? undefined : input.input?.(UNKNOWN, UNKNOWN, message.value, named);
      const guarded = await guards.asked('input', protocol);
      if (message.blocked ?? values.blocked ?? names.blocked ?? guarded.blocked) recordBlocked(input, findings);
      requireAllowed(guarded);
      const allowed = requireAllowed(names).values();
      return {
        content: requireAllowed(message),
        images: images.map((image) => (isNew(image) ? { ...image, name: allowed.next().value ?? '' } : image)),
        findings,
        guards,
        ...(metadata && { metadata: requireAllowed(values) }),
      };
    },

    /**
     * Redacts the protocol data that a channel stores with the run, by the decisions of the earlier check. No external guard is called
     * again.
     */
    protocolInput: async (
      { guards }: Pick<GuardedInput, 'guards'>,
      input: object | undefined,
    ): Promise<object | undefined> => guards.again('input', input),

    /** Audits the finds in the transaction that starts the run. */
    record: (tx: Tx, { caller, agent }: RunInput, runId: string, findings: readonly Finding[]): Promise<void> =>
      recordInputFindings(tx, { caller, resource: encodeId('run', runId), detail: { agent: agent.slug } }, findings),
  };
}

/** Applies the guards to a tool's result. The returned form is stored and sent to the model. */
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
