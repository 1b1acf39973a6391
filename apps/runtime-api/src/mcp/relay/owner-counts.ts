/** Counts what each owner has open in this process. */
export function createOwnerCounts(most: number) {
  const open = new Map<string, number>();
  return {
    /** The function that ends one, which may be called again; `undefined` when the owner has too many. */
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
