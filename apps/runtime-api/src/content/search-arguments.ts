import { z } from 'zod';
import { SearchQuery } from './content.contract.js';

/** Arguments of a tool that searches content. */
export const SearchArguments = z.strictObject({
  query: SearchQuery.shape.q.describe('The words to search for'),
  source: SearchQuery.shape.source.describe('Only content of this collection'),
});
