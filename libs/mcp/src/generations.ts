import { EgressError } from '@millwright/egress';
import type { Client } from '@modelcontextprotocol/client';
import { isProtocolError, isSdkError, isSdkHttpError, SILENT } from './sdk-errors.js';
import { causesOf, notConnectedIn } from './server-fetch.js';
import { isTimeout, ServerUnavailable } from './server-unavailable.js';

/** `v2025`: 2025-11-25 and earlier, opened by `initialize`. `v2026`: 2026-07-28, whose requests each name their version. */
export type Generation = 'v2025' | 'v2026';

/** Limits of the attempt to open a session in the older generation. */
const OPENING = { timeoutMs: 5_000, maxBytes: 64 * 1024 };
/** Returns the generation that a connected client uses with its server. When the server supports both generations, this is the later one. */
export const generationOf = (client: Client): Generation => (client.getProtocolEra() === 'modern' ? 'v2026' : 'v2025');

/**
 * Finds all generations of a connected client's server. A server of both generations lists only the later one in `server/discover`, so the
 * older one is detected by the attempt to open a session. When the server does not refuse the attempt but it fails for another reason, the
 * older generation counts as supported if `known` contains it.
 */
export async function findGenerations(
  client: Client,
  known: readonly Generation[],
  openV2025: (limits: typeof OPENING) => Promise<unknown>,
): Promise<Generation[]> {
  if (generationOf(client) === 'v2025') return ['v2025'];
  const isSpoken = await openV2025(OPENING).then(
    () => true,
    (error: unknown) => (isRefusal(error) ? false : known.includes('v2025')),
  );
  return isSpoken ? ['v2025', 'v2026'] : ['v2026'];
}

/**
 * Whether the error means that the server refused a client of the SDK. This is the case when the server answered, and neither the server
 * nor the connection failed.
 */
export function isRefusal(error: unknown): boolean {
  const causes = [...causesOf(error)];
  const isOutage = (cause: unknown) =>
    cause instanceof EgressError ||
    cause instanceof ServerUnavailable ||
    isTimeout(cause) ||
    (isSdkError(cause) && SILENT.has(cause.code)) ||
    (isSdkHttpError(cause) && (cause.status >= 500 || cause.status === 429));
  const isAnswer = (cause: unknown) => isSdkError(cause) || isProtocolError(cause);
  return causes.some(isAnswer) && !causes.some(isOutage) && !notConnectedIn(error);
}
