export interface Target {
  host: string;
  port: number;
}

/** The replicas of one service. */
export interface Targets {
  /** All replicas in the order in which to try them. Each call begins with the next replica; avoided replicas are last. */
  inOrder(): Target[];
  /** Puts this replica last in the order for the given time. */
  avoid(target: Target, milliseconds: number): void;
}

export function createTargets(addresses: readonly string[], now = () => performance.now()): Targets {
  const targets = addresses.map((address) => {
    const { hostname, port } = new URL(address);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || '80') };
  });
  const avoidedUntil = new Map<Target, number>();
  let turn = 0;

  return {
    inOrder() {
      const start = turn++ % targets.length;
      const rotated = [...targets.slice(start), ...targets.slice(0, start)];
      if (avoidedUntil.size === 0) return rotated;
      const time = now();
      const isAvoided = (target: Target) => (avoidedUntil.get(target) ?? 0) > time;
      return [...rotated.filter((target) => !isAvoided(target)), ...rotated.filter(isAvoided)];
    },
    avoid: (target, milliseconds) => void avoidedUntil.set(target, now() + milliseconds),
  };
}
