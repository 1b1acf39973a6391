import { recordAction, recordDenial } from '@millwright/audit';
import type { Caller } from '@millwright/auth';
import { encodeId, type Database } from '@millwright/db';
import { isJsonObject } from '@millwright/json';
import type { Client } from '@modelcontextprotocol/client';
import { attributed } from './attribution.js';
import { toolCallEntry } from './call-audit.js';
import { generationOf, type Generation } from './generations.js';
import type { ServerMessage } from './server-message.js';
import type { ServerProbe, ServerProbes, ProbedServer } from './server-probes.js';
import { markProbeDue, type AvailableTools, type RegisteredServer } from './servers.store.js';
import { definitionOf, hashTool } from './tool-list.js';

/** Admits a call only when its tool is available and the server's current description of the tool equals the approved description. */
export function createToolApproval(db: Database, probes: ServerProbes) {
  /** Whether the tool in the probe has the approved description. If it has not, a probe that stores the change becomes due. */
  async function isUnchanged(serverUuid: string, { tools }: ServerProbe, tool: string, hash: string): Promise<boolean> {
    if (tools.get(tool) === hash) return true;
    await markProbeDue(db.prisma, serverUuid);
    return false;
  }

  return {
    /**
     * Whether the server's current description of the tool equals the approved description. The description is at most
     * 30 s old, or is read over the open connection.
     */
    async isAsApproved(
      server: ProbedServer,
      tool: { name: string; hash: Buffer },
      client: Client,
      signal: AbortSignal,
    ): Promise<boolean> {
      const hash = tool.hash.toString('hex');
      const kept = await probes.kept(server, generationOf(client));
      if (kept?.tools.get(tool.name) === hash) return true;
      return isUnchanged(server.id, await probes.probeWith(server, client, signal), tool.name, hash);
    },

    /**
     * Records a call in this generation before it is made, without its arguments. Returns `false` for a tool that is
     * unavailable or differs from its approved description.
     */
    async admitCall(
      caller: Caller,
      server: RegisteredServer,
      generation: Generation,
      available: AvailableTools,
      tool: string,
    ): Promise<boolean> {
      const approved = available.get(tool);
      const isAvailable =
        approved !== undefined &&
        (await isUnchanged(server.id, await probes.fresh(server, generation), tool, approved));
      const entry = toolCallEntry(caller, { label: server.name, resource: encodeId('ms', server.id) }, tool);
      if (isAvailable) await recordAction(db, entry);
      else await recordDenial(db, entry, 'the tool is not available');
      return isAvailable;
    },
  };
}
export type ToolApproval = ReturnType<typeof createToolApproval>;

/**
 * The text in which a message is forwarded. A tool list is written from the checked, available tools, without any of
 * the server's bytes. The name of the server is added to instructions and to addresses to open. Any other message is
 * forwarded unchanged, including the spelling of its numbers. Undefined for a message that is not forwarded.
 */
export function toJudgedText(
  message: ServerMessage,
  text: string,
  available: AvailableTools,
  server: string,
): string | undefined {
  const judged = attributed(withoutUnavailableTools(message, available), server);
  return judged === message ? text : judged && JSON.stringify(judged);
}

/** Removes unavailable tools from a message; returns a message without a tool list unchanged. */
export function withoutUnavailableTools<Message extends { result?: unknown } | undefined>(
  message: Message,
  available: AvailableTools,
): Message {
  const result = message?.result;
  if (!isJsonObject(result) || !('tools' in result)) return message;
  const tools = Array.isArray(result['tools']) ? result['tools'] : [];
  const kept = tools.filter((tool) => isListedAsApproved(tool, available));
  return { ...message, result: { ...result, tools: kept } };
}

function isListedAsApproved(listed: unknown, available: AvailableTools): boolean {
  const tool = definitionOf(listed);
  const approved = typeof tool.name === 'string' ? available.get(tool.name) : undefined;
  return approved !== undefined && approved === hashTool(tool).toString('hex');
}
