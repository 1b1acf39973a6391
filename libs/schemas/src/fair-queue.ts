/**
 * A queue with lanes. Items of a lane are returned in the order in which they were added. The projects, and the lanes
 * of a project, are served in turn.
 */
export interface FairQueue<Item> {
  readonly size: number;
  /** Returns the number of items of a project. */
  sizeOf(project: string): number;
  add(project: string, lane: string, item: Item): void;
  take(): Item | undefined;
}

interface Lane<Item> {
  readonly size: number;
  take(): Item | undefined;
}

/** Stores lanes by name. Each call for the next item uses the next lane (round-robin). */
function createTurns<Item, L extends Lane<Item>>(open: () => L) {
  const lanes = new Map<string, L>();
  let size = 0;
  return {
    get size() {
      return size;
    },
    sizeOf: (name: string) => lanes.get(name)?.size ?? 0,
    /** Adds an item to a lane with `put`. */
    add(name: string, put: (lane: L) => void) {
      const lane = lanes.get(name) ?? open();
      lanes.set(name, lane);
      put(lane);
      size += 1;
    },
    take(): Item | undefined {
      const [next] = lanes;
      if (!next) return undefined;
      const [name, lane] = next;
      const item = lane.take();
      lanes.delete(name);
      if (lane.size > 0) lanes.set(name, lane);
      size -= 1;
      return item;
    },
  };
}

function createLine<Item>() {
  const items: Item[] = [];
  return {
    get size() {
      return items.length;
    },
    put: (item: Item) => items.push(item),
    take: () => items.shift(),
  };
}

export function createFairQueue<Item>(): FairQueue<Item> {
  const openProject = () => createTurns<Item, ReturnType<typeof createLine<Item>>>(createLine<Item>);
  const projects = createTurns<Item, ReturnType<typeof openProject>>(openProject);
  return {
    get size() {
      return projects.size;
    },
    sizeOf: (project) => projects.sizeOf(project),
    add: (project, lane, item) => projects.add(project, (lanes) => lanes.add(lane, (line) => line.put(item))),
    take: () => projects.take(),
  };
}
