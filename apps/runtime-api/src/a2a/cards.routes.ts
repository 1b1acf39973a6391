import { createHash } from 'node:crypto';
import { AppError } from '@millwright/errors';
import { route, type Reply, type Route } from '@millwright/http';
import { legacyCardOf, type CardAgent } from './card.js';
import { getCard, getCardBelowAgent, getCardBesideAgent, getDefaultCard, listCards } from './cards.contract.js';
import type { CardStore } from './cards.store.js';
import type { SignCard, SignedCard } from './sign-card.js';

/** Clients may cache a card for five minutes. A client that reads the card before each call then sends few requests, and still gets changes soon. */
const CACHE = 'public, max-age=300';
/** Pages of every origin may read cards, because they are public. */
const HEADERS = { 'Cache-Control': CACHE, 'Access-Control-Allow-Origin': '*' };

interface Asked {
  query: { 'A2A-Version'?: string | undefined };
  headers: { 'a2a-version'?: string | undefined };
}

const next = (page: number) => `<${listCards.path}?page=${page + 1}>; rel="next"`;

export function cardRoutes(cards: CardStore, sign: SignCard): Route[] {
  async function reply(agent: CardAgent | undefined, { query, headers }: Asked): Promise<Reply> {
    if (!agent) throw new AppError('not_found');
    const version = headers['a2a-version'] ?? query['A2A-Version'];
    const { card, tag } = await sign(agent);
    const reply = { headers: { ...HEADERS, Vary: 'A2A-Version' } };
    if (version === '1.0') return { ...reply, body: card, tag };
    return { ...reply, body: await legacyCardOf(card), tag: tag.replace('W/"', 'W/"0.3-') };
  }

  return [
    route(getDefaultCard, async (call) => reply(await cards.findDefault(), call)),

    ...[getCard, getCardBesideAgent, getCardBelowAgent].map((contract) =>
      route(contract, async (call) => reply(await cards.find(call.params.agent_name), call)),
    ),

    route(listCards, async ({ query: { page } }) => {
      const { agents, hasNext } = await cards.list(page);
      const signed: SignedCard[] = [];
      // Signs one card at a time, so that other requests are answered between signatures.
      for (const agent of agents) signed.push(await sign(agent));
      const digest = createHash('sha256')
        .update(signed.map(({ tag }) => tag).join())
        .digest('base64url');
      return {
        body: signed.map(({ card }) => card),
        tag: `W/"${digest}"`,
        headers: { ...HEADERS, ...(hasNext && { Link: next(page) }) },
      };
    }),
  ];
}
