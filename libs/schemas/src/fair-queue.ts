/** First in, first out within a lane; the lanes take turns. */
export interface FairQueue<Item> {
  readonly size: number;
  add(lane: string, item: Item): void;
  take(): Item | undefined;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const lanes = new Map<string, Item[]>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(lane, item) {
      const waiting = lanes.get(lane);
      if (waiting) waiting.push(item);
      else lanes.set(lane, [item]);
      size += 1;
    },
    take() {
      const [next] = lanes;
      if (!next) return undefined;
      const [lane, [item, ...waiting]] = next;
      lanes.delete(lane);
      if (waiting.length > 0) lanes.set(lane, waiting);
      size -= 1;
      return item;
    },
  };
}
