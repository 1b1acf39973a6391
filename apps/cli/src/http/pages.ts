import { InvalidArgumentError, type Command } from 'commander';
import { z } from 'zod';
import { CommandRefused } from '../command-refused.js';
import type { Api, ServiceName } from './api.js';

export const limitOption = (command: Command): Command =>
  command.option('--limit <number>', 'records to list, 1 to 100', wholeNumber(1, 100), 50);

export const pageOption = (command: Command): Command =>
  limitOption(command).option('--page <number>', 'page of the list', wholeNumber(1, 10_000), 1);

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new InvalidArgumentError(`must be a whole number from ${min} to ${max}.`);
    return value;
  };
}

/** Adds a query to a path, with the parameters that have a value. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

interface RecordList<Item extends z.ZodObject> {
  service?: ServiceName;
  path: string;
  /** Name of the kind of record in errors, and the command that lists these records. */
  kind: string;
  list: string;
  item: Item;
}

/** Limit of the pages of a list that are read to find one record. */
const MOST_PAGES = 100;
const PER_PAGE = 100;

/**
 * Returns the first record of a list for which `matches` is true. `wanted` describes the record in the error.
 * @throws CommandRefused when no record matches
 */
export async function findRecord<Item extends z.ZodObject>(
  api: Api,
  { service = 'platform', path, kind, list, item }: RecordList<Item>,
  matches: (record: z.output<Item>) => boolean,
  wanted: string,
): Promise<z.output<Item>> {
  const Page = z.object({ items: z.array(item) });
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { items } = await api.json(service, withQuery(path, { page, per_page: PER_PAGE }), Page);
    const found = items.find(matches);
    if (found) return found;
    if (items.length < PER_PAGE) break;
  }
  throw new CommandRefused(`There is no ${kind} "${wanted}". List them: millwright ${list}`, {
    code: 'not_found',
  });
}
