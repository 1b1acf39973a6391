import { LRUCache } from 'lru-cache';
import { ServerBusy } from './server-unavailable.js';

/** The bytes of servers' messages that one call receives and holds in memory. */
export interface HeldBytes {
  /**
   * Counts received bytes against the rate of the user's calls. The rate is limited because receiving keeps the process
   * busy: a few calls with large answers would delay all other requests.
   *
   * @returns milliseconds to wait before more bytes are received
   */
  receive: (bytes: number) => number;
  /**
   * Sets the number of bytes that the call holds in memory.
   *
   * @throws ServerBusy when the sum of the user's calls or of all calls exceeds its limit
   */
  hold: (bytes: number) => void;
  free: () => void;
}

export interface HeldBytesLimits {
  perUser: number;
  total: number;
  /** Bytes per second that the calls of one user receive. */
  perUserPerS: number;
  /** Bytes that the calls of a user may receive at once after a pause. */
  burst: number;
  /** Milliseconds since any fixed time. Default: the monotonic clock. */
  now?: () => number;
}

/** Number of users whose received bytes a process remembers. */
const USERS = 10_000;

/** Limits the memory of servers' messages in this process, for each user and in total, and the rate at which a user's calls receive them. */
export function createHeldBytes({
  perUser,
  total,
  perUserPerS,
  burst,
  now = () => performance.now(),
}: HeldBytesLimits) {
  const byUser = new Map<string, number>();
  /** For each user, the time from which the bytes received so far are within the rate. */
  const receivedUntil = new LRUCache<string, number>({ max: USERS });
  const msOf = (bytes: number) => (1_000 * bytes) / perUserPerS;
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
      receive(bytes) {
        const present = now();
        const until = Math.max(receivedUntil.get(user) ?? -Infinity, present - msOf(burst)) + msOf(bytes);
        receivedUntil.set(user, until);
        return Math.max(0, until - present);
      },
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
