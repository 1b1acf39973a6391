import { AgentCard } from '@a2a-js/sdk';
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client';
import { EgressError, type EgressFetch } from '@millwright/egress';
import { isJsonObject } from '@millwright/json';
import { LRUCache } from 'lru-cache';
import { hashTool, parseTool, type McpToolDefinition } from '../tool-list.js';
import { verifyCard, type CardKeys, type CardSignature } from './card-signature.js';

/** The transport of a registered server that is an agent of another system and is reached by A2A. */
export const A2A = 'a2a';

/** Name of the only tool of an outside agent. */
export const SEND_MESSAGE = 'send_message';

/** The reason why an agent's card is not used, as a sentence for the project's users. */
export class CardRefused extends Error {
  override name = 'CardRefused';
}

/** The address of an outside agent's card, and the rules for the card. */
export interface CardSource {
  /** The agent's address, or the address of its card. */
  url: string;
  require_signed_card: boolean;
  card_jwks_url: string | null;
}

/** The card of an outside agent, and the tool that calls it. */
export interface ReadCard {
  /** The card, with the interfaces that may be used. */
  card: AgentCard;
  signature: CardSignature;
  tool: McpToolDefinition;
  /** Hash of the tool's definition, which includes the card, in hex. */
  hash: string;
}

const CARD_MAX_BYTES = 64 * 1024;
const CARD_TIMEOUT_MS = 15_000;
const LONGEST_DESCRIPTION = 16_000;
const BINDINGS: ReadonlySet<string> = new Set(['JSONRPC', 'HTTP+JSON']);

const PARAMETERS = {
  type: 'object',
  properties: {
    message: { type: 'string', minLength: 1, description: 'The text for the agent.' },
    task_id: { type: 'string', description: 'The task that asked for input, to answer it.' },
    context_id: { type: 'string', description: 'The context of an earlier answer, to continue that conversation.' },
  },
  required: ['message'],
  additionalProperties: false,
};

const resolver = new DefaultAgentCardResolver({ legacyCompat: { enabled: true } });

/**
 * Returns the address of the card: the registered address when it is the address of a card, otherwise the well-known
 * path below the registered address (A2A 1.0 §8.2).
 */
export function cardUrlOf(url: string): string {
  const { pathname } = new URL(url);
  if (pathname.endsWith('.json') || pathname.includes('/.well-known/')) return url;
  return new URL(`${pathname.replace(/\/$/, '')}/.well-known/agent-card.json`, url).href;
}

/**
 * Reads an agent's card with the agent's credential, verifies its signature, and converts the agent to a tool.
 *
 * @throws CardRefused, EgressError, or the signal's reason
 */
export async function readAgentCard(
  source: CardSource,
  { fetch, fetchKeys }: { fetch: EgressFetch; fetchKeys: EgressFetch },
  signal?: AbortSignal,
): Promise<ReadCard> {
  const json = await readJson(fetch, cardUrlOf(source.url), signal);
  const keys: CardKeys = {
    origin: new URL(source.url).origin,
    url: source.card_jwks_url,
    read: (url) => readJson(fetchKeys, url, signal),
  };
  const card = normalized(json);
  const signature = await verifyCard(json, card, keys);
  if (source.require_signed_card && signature !== 'verified')
    throw new CardRefused(
      signature === 'unsigned' ? 'The agent card is not signed.' : 'The signature of the agent card is not valid.',
    );
  const supportedInterfaces = card.supportedInterfaces.filter(
    ({ url, protocolBinding }) =>
      BINDINGS.has(protocolBinding) && URL.canParse(url) && new URL(url).origin === keys.origin,
  );
  if (supportedInterfaces.length === 0)
    throw new CardRefused('The agent card names no JSON-RPC or HTTP+JSON address at the origin of the card.');
  const tool = toTool(card, signature);
  return { card: { ...card, supportedInterfaces }, signature, tool, hash: hashTool(tool).toString('hex') };
}

async function readJson(fetch: EgressFetch, url: string, signal: AbortSignal | undefined): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json', 'a2a-version': '1.0' },
    redirect: 'error',
    kind: 'a2a',
    profile: { timeoutMs: CARD_TIMEOUT_MS, maxBytes: CARD_MAX_BYTES },
    ...(signal && { signal }),
  });
  if (!answer.ok) {
    await answer.body?.cancel();
    throw new CardRefused(`The server answered with the status ${answer.status}.`);
  }
  try {
    return await answer.json();
  } catch (error) {
    if (error instanceof EgressError || signal?.aborted) throw error;
    throw new CardRefused('The answer is not an agent card.', { cause: error });
  }
}

/** The card in the form of A2A 1.0, without members that the schema does not have. */
function normalized(json: unknown): AgentCard {
  try {
    if (!isJsonObject(json)) throw new TypeError('no object');
    const card = AgentCard.fromJSON(AgentCard.toJSON(resolver.normalizeAgentCard(json)));
    if (card.name === '' || card.supportedInterfaces.length === 0) throw new TypeError('no agent');
    return card;
  } catch (error) {
    throw new CardRefused('The answer is not an agent card.', { cause: error });
  }
}

/**
 * Converts the agent to a tool. The definition of the tool includes the whole card without the signatures, so that an
 * approval covers the card.
 */
function toTool(card: AgentCard, signature: CardSignature): McpToolDefinition {
  const skills = card.skills.map(({ name, description }) => `- ${name}: ${description}`);
  const description = [
    `Sends a message to the agent "${card.name}" of another system and returns its answer.`,
    card.description,
    ...(skills.length > 0 ? ['Skills:', ...skills] : []),
  ].join('\n');
  const tool = parseTool({
    name: SEND_MESSAGE,
    title: card.name,
    description: description.slice(0, LONGEST_DESCRIPTION).toWellFormed(),
    inputSchema: PARAMETERS,
    annotations: { openWorldHint: true },
    agent_card: AgentCard.toJSON({ ...card, signatures: [] }),
    agent_card_signature: signature,
  });
  if (!tool) throw new CardRefused('The agent card is too large or has invalid characters.');
  return tool;
}

/** Time for which a card counts as current, in milliseconds. */
const KEPT_MS = 30_000;
const MOST_KEPT = 1_000;

/** Caches cards in this process; concurrent calls share one request. */
export function createCardCache() {
  const kept = new LRUCache<string, { at: number; read: Promise<ReadCard> }>({ max: MOST_KEPT });
  return (key: string, read: () => Promise<ReadCard>): Promise<ReadCard> => {
    const known = kept.get(key);
    if (known && known.at > performance.now() - KEPT_MS) return known.read;
    const entry = { at: performance.now(), read: read() };
    kept.set(key, entry);
    entry.read.catch(() => kept.get(key) === entry && kept.delete(key));
    return entry.read;
  };
}
