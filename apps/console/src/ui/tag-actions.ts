import { callArea, askArea, matching, type Area } from '../api/areas.js';
import { answerOf, type Method } from '../api/client.js';
import type { BulkAction } from './bulk-bar.js';

export interface TaggedRecords<Row, Kept> {
  area: Area;
  method: Method;
  /** Address of a row's record. */
  to: (row: Row) => string;
  tagsOf: (record: Kept) => readonly string[];
  /** Builds the body of the request that sets the tags. */
  change: (tags: string[]) => object;
}

/** Adds a tag at the end, unless the tags contain it. */
export const withTag = (tags: readonly string[], tag: string): string[] =>
  tags.includes(tag) ? [...tags] : [...tags, tag];

export const withoutTag = (tags: readonly string[], tag: string): string[] => tags.filter((one) => one !== tag);

/**
 * Makes two actions on the selected records of a list: add a tag, and remove a tag. Each action reads a record and then changes it. The
 * service refuses the change if the record has changed between the two requests.
 */
export function tagActions<Row extends Kept, Kept>({
  area,
  method,
  to,
  tagsOf,
  change,
}: TaggedRecords<Row, Kept>): BulkAction<Row>[] {
  const setTags = (next: typeof withTag) => async (row: Row, tag: string) => {
    const answer = await callArea(area, 'GET', to(row));
    const tags = tagsOf(await answerOf<Kept>(answer));
    const changed = next(tags, tag);
    if (changed.length === tags.length) return;
    await askArea(area, method, to(row), change(changed), matching(answer.headers.get('etag') ?? undefined));
  };
  return [
    { label: 'Add tag', done: 'tagged', asks: 'Tag', work: setTags(withTag) },
    {
      ...{ label: 'Remove tag', done: 'untagged', asks: 'Tag', work: setTags(withoutTag) },
      isFor: (row) => tagsOf(row).length > 0,
    },
  ];
}
