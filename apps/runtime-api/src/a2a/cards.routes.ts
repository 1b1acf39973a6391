import { createHash } from 'node:crypto';
import { AppError } from '@millwright/errors';
import { route, type Reply, type Route } from '@millwright/http';
import { cardOf, legacyCardOf, type CardAgent } from './card.js';
import { getCard, getDefaultCard, listCards } from './cards.contract.js';
import type { CardStore } from './cards.store.js';
import type { SignCard } from './sign-card.js';

/** Long enough for clients that look at a card before each call, short enough for a change to be seen. */
const CACHE = 'public, max-age=300';
/** Cards are public: pages of every origin may read them. */
const HEADERS = { 'Cache-Control': CACHE, 'Access-Control-Allow-Origin': '*' };

interface Asked {
  query: { 'A2A-Version'?: string | undefined };
  headers: { 'a2a-version'?: string | undefined };
}

export function cardRoutes(cards: CardStore, sign: SignCard, runtimeUrl: string): Route[] {
  async function reply(agent: CardAgent | undefined, { query, headers }: Asked): Promise<Reply> {
    if (!agent) throw new AppError('not_found');
    const version = headers['a2a-version'] ?? query['A2A-Version'];
    const { card, tag } = sign(cardOf(agent, runtimeUrl));
    const told = { headers: { ...HEADERS, Vary: 'A2A-Version' } };
    if (version === '1.0') return { ...told, body: card, tag };
    return { ...told, body: await legacyCardOf(card), tag: tag.replace('W/"', 'W/"0.3-') };
  }

  return [
    route(getDefaultCard, async (call) => reply(await cards.findDefault(), call)),

    route(getCard, async (call) => reply(await cards.find(call.params.agent_name), call)),

    route(listCards, async () => {
      const signed = (await cards.list()).map((agent) => sign(cardOf(agent, runtimeUrl)));
      const digest = createHash('sha256')
        .update(signed.map(({ tag }) => tag).join())
        .digest('base64url');
      return { body: signed.map(({ card }) => card), tag: `W/"${digest}"`, headers: HEADERS };
    }),
  ];
}
