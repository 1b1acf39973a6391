import type { Message } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { encodeId, isStorable } from '@millwright/db';
import { z } from 'zod';
import type { ApprovalDecision } from '../runs/approvals/approvals.contract.js';
import type { PendingCall } from '@millwright/runs/approvals';
import { HITL, MEDIA_TYPE } from '../agents/a2a-interfaces.js';

const DATA_TYPE = 'application/json';
const REASON_LENGTH = 2_000;

/** A decision about one tool call. */
export interface TaskDecision {
  /** Public id of the approval (`apr_…`). */
  approval: string;
  decision: ApprovalDecision;
}

const idOf = ({ id }: PendingCall) => encodeId('apr', id);

/** Formats a call as one line. It is JSON without line breaks, so that no argument can look like another line. */
const lineOf = (call: PendingCall) => `${idOf(call)}: ${call.tool} ${JSON.stringify(JSON.parse(call.arguments))}`;

function textOf(calls: readonly PendingCall[], inboxUrl: string): string {
  const names = calls.map(({ tool }) => tool).join(', ');
  const others = calls.some(({ needsOtherDecider }) => needsOtherDecider);
  const ways = others
    ? `Another user has to decide: ${inboxUrl}`
    : 'Answer in this task with "approve" or "refuse", the id of the call, and a reason if you refuse.';
  return [`Approval is required for tool(s): ${names}`, ...calls.map(lineOf), ways].join('\n');
}

/**
 * Builds the status message of a task whose calls wait for a decision. It contains the calls as text and as data, and also in the extension's form if
 * the extension is active.
 */
export function questionOf(calls: readonly PendingCall[], inboxUrl: string, isActive: boolean) {
  const hint = textOf(calls, inboxUrl);
  const tools = calls.map((call) => ({
    id: idOf(call),
    call_id: call.callId,
    name: call.tool,
    args: JSON.parse(call.arguments) as unknown,
  }));
  const request = { type: 'tool_approval_request', hint, tools };
  return {
    parts: [
      { text: hint, mediaType: MEDIA_TYPE },
      { data: request, mediaType: DATA_TYPE },
    ],
    ...(isActive && { metadata: { [HITL]: request }, extensions: [HITL] }),
  };
}

const Response = z.object({
  type: z.literal('tool_approval_response'),
  approvals: z
    .array(
      z.object({
        id: z.string().max(100),
        approved: z.boolean(),
        rejection_reason: z.string().max(REASON_LENGTH).refine(isStorable, 'must be well-formed text').optional(),
      }),
    )
    .min(1)
    .max(100),
});

const refused = (reason: string | undefined): ApprovalDecision => ({
  decision: 'refuse',
  ...(reason !== undefined && reason !== '' && { reason }),
});

const WORDS = /^(approve|refuse)\s+(apr_[0-9A-Za-z]+)(?:[\s:,.]+(.*))?$/is;

const HOW = 'message: answer with "approve" or "refuse" and the id of the call, or with a tool_approval_response';

/**
 * Reads the decisions in a message. A message decides either about all pending calls, in its metadata or in a data part, or about one call, in its
 * text. Each decision names the id of its call, so that an old message cannot decide about a new call.
 *
 * @throws RequestMalformedError when the message contains no decision, or its data do not decide exactly once about each pending call
 */
export function decisionsIn({ parts, metadata, extensions }: Message, calls: readonly PendingCall[]): TaskDecision[] {
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value as unknown] : []));
  const active: unknown = extensions.includes(HITL) ? metadata?.[HITL] : undefined;
  const structured = active ?? data[0];
  if (structured !== undefined) return allOf(structured, calls);
  const text = parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('\n');
  const [, word = '', approval = '', reason] = WORDS.exec(text.trim()) ?? [];
  const isLong = (reason ?? '').length > REASON_LENGTH || !isStorable(text);
  if (word === '' || isLong) throw new RequestMalformedError(HOW);
  const decision: ApprovalDecision =
    word.toLowerCase() === 'approve' ? { decision: 'approve' } : refused(reason?.trim());
  return [{ approval, decision }];
}

function allOf(structured: unknown, calls: readonly PendingCall[]): TaskDecision[] {
  const { success, data } = Response.safeParse(structured);
  if (!success) throw new RequestMalformedError(HOW);
  const ids = new Set(data.approvals.map(({ id }) => id));
  const isComplete = calls.every((call) => ids.has(idOf(call)));
  if (!isComplete || ids.size !== data.approvals.length || ids.size !== calls.length)
    throw new RequestMalformedError('message: must decide about each pending call once, and about no other');
  return data.approvals.map(({ id, approved, rejection_reason: reason }) => ({
    approval: id,
    decision: approved ? { decision: 'approve' } : refused(reason),
  }));
}
