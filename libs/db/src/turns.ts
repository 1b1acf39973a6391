/** A queue in which owners take turns: a thousand items of one delay the item of another by one. */
export interface Turns<Item> {
  readonly size: number;
  add(owner: string, item: Item): void;
  /** The item whose turn it is, which stays in the queue. */
  peek(): Item | undefined;
  /** Takes out the item whose turn it is: of the owner who has waited longest for a turn, the item that has waited longest. */
  take(): Item | undefined;
  /** Takes out an item whose turn has not come. @returns whether it was there */
  remove(owner: string, item: Item): boolean;
}

export function createTurns<Item>(): Turns<Item> {
  /** In the order of the owners' turns. */
  const items = new Map<string, Set<Item>>();
  let size = 0;

  function remove(owner: string, item: Item): boolean {
    const own = items.get(owner);
    if (!own?.delete(item)) return false;
    size -= 1;
    if (own.size === 0) items.delete(owner);
    return true;
  }

  function first(): [owner: string, item: Item] | undefined {
    for (const [owner, own] of items) for (const item of own) return [owner, item];
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
