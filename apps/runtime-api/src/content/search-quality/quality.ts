import { readFileSync } from 'node:fs';

/** Reads lines of two fields that ` | ` separates: title and body of a document, or a query and the title of the document that it should find. */
const load = (name: string) =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' | ') as [string, string]);

export const documents = load('documents.txt');
/** Queries with words of the documents that they should find. Most of these words are misspelt. */
export const queries = load('queries.txt');
/** Questions that use other words than the documents that answer them. */
export const paraphrases = load('paraphrases.txt');

/**
 * Measures the share of the queries whose document is among the first ten results (`at10`), and the share of those whose document is the first result
 * (`at1`).
 */
export async function measureRecall(
  asked: readonly [string, string][],
  search: (text: string) => Promise<readonly { title: string }[]>,
) {
  const places: { text: string; place: number }[] = [];
  for (const [text, title] of asked) {
    const results = await search(text);
    const isWanted = (found: { title: string }) => found.title === title || found.title.endsWith(` › ${title}`);
    places.push({ text, place: results.findIndex(isWanted) });
  }
  const share = (most: number) => places.filter(({ place }) => place >= 0 && place <= most).length / asked.length;
  return { at10: share(9), at1: share(0), missed: places.filter(({ place }) => place < 0).map(({ text }) => text) };
}
export type Recall = Awaited<ReturnType<typeof measureRecall>>;

export const recallText = (what: string, { at10, at1 }: Recall) =>
  `${what}: recall at 10 ${at10.toFixed(3)}, at 1 ${at1.toFixed(3)}\n`;
