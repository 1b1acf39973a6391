import type { Project } from '@millwright/auth';
import { decodeId, jsonColumn, type Database, type Tx } from '@millwright/db';
import type { ResponseObject } from './responses.contract.js';

/** Position of a response's answer in its conversation. */
export interface ResponsePlace {
  conversationId: string;
  /** `seq` of the answer in the conversation. */
  seq: number;
}

/** Whether a response has no answer: it is in progress, or it requests decisions. */
const isPending = ({ status, output }: ResponseObject): boolean =>
  status === 'in_progress' || output.some(({ type }) => type === 'mcp_approval_request');

/** Stored responses. All reads and writes of them use these functions. */
export function createResponseStore(db: Database) {
  const where = (project: Project, id: string) => ({
    project,
    id: decodeId('resp', id) ?? '',
    conversation: { deleted_at: null },
  });
  const isId = (id: string) => decodeId('resp', id) !== undefined;

  return {
    async find(project: Project, id: string): Promise<ResponseObject | undefined> {
      if (!isId(id)) return undefined;
      const row = await db.prisma.storedResponse.findFirst({ where: where(project, id), select: { body: true } });
      return row?.body as ResponseObject | undefined;
    },

    /** Returns the conversation and the `seq` of a response's answer. `isPending`: the response has no answer yet. */
    async placeOf(project: Project, id: string): Promise<(ResponsePlace & { isPending: boolean }) | undefined> {
      if (!isId(id)) return undefined;
      const select = { conversation_id: true, seq: true, body: true } as const;
      const row = await db.prisma.storedResponse.findFirst({ where: where(project, id), select });
      if (!row) return undefined;
      return { conversationId: row.conversation_id, seq: row.seq, isPending: isPending(row.body as ResponseObject) };
    },

    async add(tx: Tx, project: Project, uuid: string, { conversationId, seq }: ResponsePlace, body: ResponseObject) {
      await tx.storedResponse.create({
        data: { id: uuid, project, conversation_id: conversationId, seq, body: jsonColumn(body) },
      });
    },

    /** Locks a response; undefined when the response does not exist. */
    async lock(tx: Tx, uuid: string): Promise<{ place: ResponsePlace; body: ResponseObject } | undefined> {
      const [row] = await tx.$queryRaw<{ conversationId: string; seq: number; body: ResponseObject }[]>`
        SELECT conversation_id AS "conversationId", seq, body FROM responses WHERE id = ${uuid}::uuid FOR UPDATE`;
      if (!row) return undefined;
      const { body, ...place } = row;
      return { place, body };
    },

    /** Completes a response that was added in progress; does nothing when it was deleted meanwhile. */
    async complete(tx: Tx, uuid: string, { conversationId, seq }: ResponsePlace, body: ResponseObject) {
      await tx.storedResponse.updateMany({
        where: { id: uuid },
        data: { conversation_id: conversationId, seq, body: jsonColumn(body) },
      });
    },

    /** Deletes a response. @returns false when the response does not exist */
    async remove(tx: Tx, project: Project, id: string): Promise<boolean> {
      if (!isId(id)) return false;
      const { count } = await tx.storedResponse.deleteMany({ where: where(project, id) });
      return count > 0;
    },
  };
}
export type ResponseStore = ReturnType<typeof createResponseStore>;
