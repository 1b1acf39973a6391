import type { Caller } from '@millwright/auth';
import { searchContent } from '@millwright/catalog';
import { encodeId, type Database, type MetricCounts } from '@millwright/db';
import { z } from 'zod';
import { SearchArguments } from '../content/search-arguments.js';
import { ownTool } from './own-tool.js';
import { ALLOWED } from './rule-of.js';
import { answered, type AgentTool } from './tool.js';
import type { FindSearchVector } from '../knowledge/vectors/search-vectors.js';
import { listOffers } from '../concierge/offers.store.js';

export interface ConciergeDeps {
  db: Database;
  counts?: Pick<MetricCounts, 'add'> | undefined;
  findSearchVector: FindSearchVector;
}

const Nothing = z.strictObject({});
const FOUND = 5;

/** Tools of the built-in agent. They read only records that the caller could read directly. */
export function createConciergeTools({ db, counts, findSearchVector }: ConciergeDeps) {
  async function search(caller: Caller, { query, source }: z.output<typeof SearchArguments>) {
    const { project } = caller;
    counts?.add(project, 'content_searches');
    const near = await findSearchVector(caller, query);
    const asked = { project, text: query, source, near, limit: FOUND, bodies: false };
    const { results, total } = await searchContent(db, asked);
    return {
      total,
      results: results.map(({ id, ...item }) => ({
        id: encodeId('ct', id),
        title: item.title,
        source: item.source,
        snippet: item.snippet,
      })),
    };
  }

  return (caller: Caller): AgentTool[] => {
    const describe = 'Lists the available agents, skills, MCP servers and collections of content.';
    const offers = tool('list_offers', describe, Nothing, () => listOffers(db, caller));
    if (!caller.scopes?.has('content:read')) return [offers];
    const searches = "Searches the project's content by its words, with tolerance for spelling; best results first.";
    return [tool('search_content', searches, SearchArguments, (args) => search(caller, args)), offers];
  };
}

const tool = <Args extends z.ZodObject>(
  name: string,
  description: string,
  schema: Args,
  answer: (args: z.output<Args>) => Promise<object>,
): AgentTool =>
  ownTool({
    ...{ name, description, schema, rule: ALLOWED },
    call: async (args) => answered(true, JSON.stringify(await answer(args))),
  });
