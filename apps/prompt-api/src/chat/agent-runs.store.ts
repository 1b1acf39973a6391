import { recordDecision } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import type { RunnableAgent } from '@millwright/catalog';
import { keepDraft } from '@millwright/catalog/drafts';
import { decodeId, encodeId, newId, storableText, type Database, type Tx } from '@millwright/db';
import type { ModelUsage } from '@millwright/models';
import type { RunReader } from '@millwright/runs';
import { imageColumns, type NewImage } from '@millwright/runs/message-images';
import type { AgentMessage } from './agent-messages.js';

/** An agent's answer with the usage of its whole run. */
export interface AgentAnswer {
  text: string;
  usage: ModelUsage;
}

interface AnswerRow {
  text: string;
  input: number;
  output: number;
}

const USAGE = 'prompt_tokens::float8 AS input, completion_tokens::float8 AS output';

const usageOf = ({ input, output }: Omit<AnswerRow, 'text'>): ModelUsage => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** Converts images to values of columns. Each image is copied to a plain object, the only form that Prisma's type for JSON accepts. */
const asColumns = (images: readonly NewImage[]) => {
  const { images: records, image_bytes } = imageColumns(images);
  return records ? { images: records.map((record) => ({ ...record })), image_bytes } : {};
};

/** A message to store in a conversation. It is untrusted when it may repeat texts that other people wrote, as an answer of a model may. */
export interface KeptMessage extends AgentMessage {
  untrusted?: boolean;
  /** Name of the source of an untrusted user message that the run reads. */
  source?: string;
}

interface BegunContext {
  contextId: string;
  messageId: string;
}

interface CallRow {
  seq: number;
  /** Name with which the model called the tool. */
  tool: string;
  /** Public id of the tool's MCP server. */
  server: string | null;
  arguments: string;
  ok: boolean;
  result: string;
  /** Row id of the approval that decided about the call. */
  approval: string | null;
}

/** An ended call of a tool; `label`: the slug of its MCP server. */
export interface ToolCall extends Omit<CallRow, 'server'> {
  label: string;
}

async function addContext(
  tx: Tx,
  { project, actor }: Caller,
  agentId: string,
  messages: readonly KeptMessage[],
): Promise<BegunContext> {
  const contextId = newId();
  const stored = messages.map(({ role, content, images = [], untrusted, source }, index) => ({
    row: {
      ...{ id: newId(), context_id: contextId, seq: index + 1, role, content: storableText(content) },
      ...(untrusted && { untrusted, source }),
      ...asColumns(images),
    },
    images,
  }));
  const rows = stored.map(({ row }) => row);
  const images = stored.flatMap(({ row, images: own }) =>
    own.map(({ id, bytes }) => ({ id, message_id: row.id, bytes })),
  );
  await tx.context.createMany({ data: [{ id: contextId, project, agent_id: agentId, user_id: actor.userId }] });
  await tx.contextMessage.createMany({ data: rows });
  if (images.length > 0) await tx.contextImage.createMany({ data: images });
  return { contextId, messageId: rows.at(-1)?.id ?? '' };
}

/** Writes the conversations of agents that clients name as their model. Processes of the runtime API execute the runs of these agents. */
export function createAgentRunStore(db: Database) {
  return {
    /** Begins a conversation with the client's messages. The last message is the user's. */
    async begin(
      tx: Tx,
      caller: Caller,
      agent: RunnableAgent,
      messages: readonly AgentMessage[],
    ): Promise<BegunContext> {
      const begun = await addContext(tx, caller, agent.id, messages);
      const resource = encodeId('ctx', begun.contextId);
      const images = messages.reduce((sum, { images: own = [] }) => sum + own.length, 0);
      const detail = { agent: agent.slug, ...(images > 0 && { images }) };
      await recordDecision(tx, { ...caller, action: 'agent.message', resource, detail });
      return begun;
    },

    /** Begins the conversation of an unsaved agent. The conversation is kept for some days. */
    async beginUnsaved(
      tx: Tx,
      caller: Caller,
      draftId: string,
      messages: readonly KeptMessage[],
    ): Promise<BegunContext> {
      const begun = await addContext(tx, caller, draftId, messages);
      await keepDraft(tx, draftId);
      return begun;
    },

    /** Returns the id of the run of a response. The UUID of the response is the UUID of the run or of one of its approvals. */
    async runOf(response: string): Promise<string | undefined> {
      const [row] = await db.prepared<{ id: string }>(
        'find-run-of-response',
        `SELECT id FROM runs WHERE id IN ($1::uuid, (SELECT run_id FROM approvals WHERE id = $1::uuid))`,
        [response],
      );
      return row?.id;
    },

    /** Lists the ended tool calls of a run in their order. `since`: number of the first model step whose calls are listed. */
    async callsOf(runId: string, since: number): Promise<ToolCall[]> {
      const rows = await db.prepared<CallRow>(
        'list-tool-calls-of-run',
        `SELECT s.seq, s.tool, s.server, s.arguments, s.outcome = 'succeeded' AS ok, coalesce(s.result, '') AS result, a.id AS approval
           FROM run_steps s LEFT JOIN approvals a ON a.run_id = s.run_id AND a.asked_by = s.asked_by AND a.call_id = s.call_id
          WHERE s.run_id = $1::uuid AND s.kind = 'tool' AND s.outcome <> 'started' AND s.asked_by >= $2::int ORDER BY s.seq`,
        [runId, since],
      );
      const servers = [...new Set(rows.flatMap(({ server }) => decodeId('ms', server ?? '') ?? []))];
      const slugs =
        servers.length === 0
          ? []
          : await db.prepared<{ id: string; slug: string }>(
              'list-slugs-of-servers',
              'SELECT id, slug FROM mcp_servers WHERE id = ANY($1::uuid[])',
              [servers],
            );
      const labels = new Map(slugs.map(({ id, slug }) => [encodeId('ms', id), slug]));
      return rows.map(({ server, ...call }) => ({ ...call, label: labels.get(server ?? '') ?? server ?? '' }));
    },

    /** Returns the number of the first step in which the model made a call that needs one of these approvals; 0 when there is no such step. */
    async askedBy(approvalIds: readonly string[]): Promise<number> {
      const [row] = await db.prepared<{ step: number | null }>(
        'find-step-of-approvals',
        'SELECT min(asked_by) AS step FROM approvals WHERE id = ANY($1::uuid[])',
        [approvalIds],
      );
      return row?.step ?? 0;
    },

    /** Returns the usage of a run so far. */
    async usageOf(runId: string): Promise<ModelUsage> {
      const [row] = await db.prepared<Omit<AnswerRow, 'text'>>(
        'read-usage-of-agent-run',
        `SELECT ${USAGE} FROM runs WHERE id = $1::uuid`,
        [runId],
      );
      return usageOf(row ?? { input: 0, output: 0 });
    },

    /**
     * Finds the run of a response by the UUID of the response. The run must be of the agent `agentId` or, without `agentId`, of an unsaved agent.
     * Returns `undefined` when there is no such run, or when the reader has no access to it.
     */
    async runOfResponse(
      { project, userId }: RunReader,
      agentId: string | undefined,
      response: string,
    ): Promise<string | undefined> {
      const [row] = await db.prepared<{ id: string }>(
        'find-run-of-agent-response',
        `WITH RECURSIVE above AS (
           SELECT id, parent_id FROM runs WHERE id IN ($1::uuid, (SELECT run_id FROM approvals WHERE id = $1::uuid))
            UNION ALL SELECT r.id, r.parent_id FROM above a JOIN runs r ON r.id = a.parent_id)
         SELECT id FROM runs
          WHERE id = ANY(ARRAY(SELECT id FROM above)) AND project = $2 AND ($3::uuid IS NULL OR user_id = $3::uuid)
            AND subject_kind = 'agent' AND channel = 'responses'
            AND (subject_id = $4::uuid OR ($4::uuid IS NULL AND subject_version IS NULL))`,
        [response, project, userId, agentId ?? null],
      );
      return row?.id;
    },

    /** Selects the approvals of this list that belong to the run or to one of its descendants, each with its run. */
    approvalsOf: (runId: string, ids: readonly string[]): Promise<{ id: string; runId: string }[]> =>
      db.prepared<{ id: string; runId: string }>(
        'find-approvals-of-agent-run',
        `WITH RECURSIVE above AS (
           SELECT id AS approval, run_id AS id FROM approvals WHERE id = ANY($2::uuid[])
            UNION ALL SELECT a.approval, r.parent_id FROM above a JOIN runs r ON r.id = a.id WHERE r.parent_id IS NOT NULL)
         SELECT p.id, p.run_id AS "runId" FROM above a JOIN approvals p ON p.id = a.approval WHERE a.id = $1`,
        [runId, ids],
      ),

    /** Reads the answer of a completed run; `undefined` when the content of the run was removed. */
    async answerOf(runId: string): Promise<AgentAnswer | undefined> {
      const [row] = await db.prepared<AnswerRow>(
        'read-answer-of-agent-run',
        `SELECT output AS text, ${USAGE}
           FROM runs WHERE id = $1::uuid AND output IS NOT NULL`,
        [runId],
      );
      if (!row) return undefined;
      return { text: row.text, usage: usageOf(row) };
    },
  };
}
export type AgentRunStore = ReturnType<typeof createAgentRunStore>;
