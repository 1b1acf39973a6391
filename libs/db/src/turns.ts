/** Round-robin queue by owner: one owner's backlog delays another owner by at most one item. */
export interface Turns<Item> {
  readonly size: number;
  add(owner: string, item: Item): void;
  /** Returns the next item and keeps it in the queue. */
  peek(): Item | undefined;
  /** Removes the next item: the oldest item of the owner who has waited longest. */
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
