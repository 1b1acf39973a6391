/**
 * Queue that alternately serves the owner who has waited longest and the owner with the fewest items. A backlog of one owner delays another
 * owner by at most two items. An owner with one item at a time hardly waits, even when many owners have backlogs.
 */
export interface Turns<Item> {
  readonly size: number;
  add(owner: string, item: Item): void;
  /** Returns the next item and keeps it in the queue. */
  peek(): Item | undefined;
  /** Removes the next item: the oldest item of the owner whose turn it is. */
  take(): Item | undefined;
  /** Removes an item before its turn. @returns whether the queue contained it */
  remove(owner: string, item: Item): boolean;
}

export function createTurns<Item>(): Turns<Item> {
  /** Items by owner, in the order of the turns. */
  const items = new Map<string, Set<Item>>();
  let size = 0;
  let isForFewest = true;

  function remove(owner: string, item: Item): boolean {
    const own = items.get(owner);
    if (!own?.delete(item)) return false;
    size -= 1;
    if (own.size === 0) items.delete(owner);
    return true;
  }

  /** Returns the owner who has waited longest or, every other time, the owner with the fewest items. */
  function nextOwner(): string | undefined {
    let next: string | undefined;
    let fewest = Infinity;
    for (const [owner, { size: count }] of items) {
      if (count < fewest) [next, fewest] = [owner, count];
      if (!isForFewest || count === 1) break;
    }
    return next;
  }

  function first(): [owner: string, item: Item] | undefined {
    const owner = nextOwner();
    if (owner === undefined) return undefined;
    for (const item of items.get(owner) ?? []) return [owner, item];
    return undefined;
  }

  return {
    get size() {
      return size;
    },
    add(owner, item) {
      const own = items.get(owner);
      if (own) own.add(item);
      else items.set(owner, new Set([item]));
      size += 1;
    },
    peek: () => first()?.[1],
    take() {
      const next = first();
      if (!next) return undefined;
      const [owner, item] = next;
      isForFewest = !isForFewest;
      remove(owner, item);
      const left = items.get(owner);
      if (left) {
        items.delete(owner);
        items.set(owner, left);
      }
      return item;
    },
    remove,
  };
}
