import { ServerBusy } from './server-unavailable.js';

/** Number of bytes of servers' messages that one call holds in memory. */
export interface HeldBytes {
  /** Sets the number of bytes. @throws ServerBusy when the sum of the user's calls or of all calls exceeds its limit */
  hold: (bytes: number) => void;
  free: () => void;
}

export interface HeldBytesLimits {
  perUser: number;
  total: number;
}

/** Limits the memory of servers' messages in this process, for each user and in total. */
export function createHeldBytes({ perUser, total }: HeldBytesLimits) {
  const byUser = new Map<string, number>();
  let sum = 0;

  return (user: string): HeldBytes => {
    let held = 0;
    const change = (bytes: number) => {
      const ofUser = (byUser.get(user) ?? 0) + bytes - held;
      sum += bytes - held;
      held = bytes;
      if (ofUser > 0) byUser.set(user, ofUser);
      else byUser.delete(user);
    };
    return {
      hold(bytes) {
        const more = bytes - held;
        const isTooMuch = more > 0 && ((byUser.get(user) ?? 0) + more > perUser || sum + more > total);
        if (isTooMuch) throw new ServerBusy('Too many bytes of MCP servers are in memory.');
        change(bytes);
      },
      free: () => change(0),
    };
  };
}
export type OpenHeldBytes = ReturnType<typeof createHeldBytes>;
