/** Counts the open items of each owner in this process, up to a limit. */
export function createOwnerCounts(most: number) {
  const open = new Map<string, number>();
  return {
    /**
     * Counts one more item.
     * @returns a function that subtracts the item again, and that may be called several times; `undefined` when the owner is at the limit
     */
    begin(owner: string): (() => void) | undefined {
      const count = open.get(owner) ?? 0;
      if (count >= most) return undefined;
      open.set(owner, count + 1);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const rest = (open.get(owner) ?? 1) - 1;
        if (rest > 0) open.set(owner, rest);
        else open.delete(owner);
      };
    },
  };
}
