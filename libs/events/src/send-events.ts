import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@millwright/db';
import { attempt, type AttemptOptions } from './attempt.js';
import { claimDeliveries, markDelivered, readReceivers, type Claim, type Receiver } from './deliveries.store.js';
import { markFailed } from './failed-delivery.js';

export interface SenderOptions extends AttemptOptions {
  db: Database;
  /** Called for internal failures, such as a database that does not answer. Claimed deliveries are sent later. */
  onError: (error: unknown) => void;
  /** Interval in milliseconds at which the database is polled while there are no events. */
  checkEvery?: number;
}

/** Limits of concurrent attempts in one process: in all, for each project, and for each host. */
const MOST = { all: 32, project: 16, host: 8 };
const CHECK_EVERY_MS = 1_000;

interface UnderWay {
  project: string;
  host: string;
}

/**
 * Sends events to webhooks until it is stopped. Deliveries are rows, so they survive the process, and any number of
 * processes share them. Each delivery is sent at least once, and deliveries of one subject are sent in order.
 */
export function sendEventsRepeatedly({ db, onError, checkEvery = CHECK_EVERY_MS, ...options }: SenderOptions) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const underWay = new Map<Promise<void>, UnderWay>();
  let wake: () => void = () => undefined;

  const countOf = (key: keyof UnderWay, value: string) =>
    [...underWay.values()].filter((other) => other[key] === value).length;

  async function deliver(receiver: Receiver, claim: Claim): Promise<void> {
    const answer = await attempt(options, receiver, claim);
    await (answer.error === null ? markDelivered : markFailed)(db, claim, answer);
  }

  function start(receiver: Receiver, claim: Claim): void {
    const delivery = deliver(receiver, claim)
      .catch(onError)
      .finally(() => {
        underWay.delete(delivery);
        wake();
      });
    underWay.set(delivery, { project: receiver.project, host: new URL(receiver.url).host });
  }

  /** Returns the number of deliveries that may start now, by webhook. Webhooks of one host or project share the free places. */
  function allowance(receivers: readonly Receiver[]): Map<string, number> {
    const taken = new Map<string, number>();
    const free = (key: string, most: number, used: number) => most - used - (taken.get(key) ?? 0);
    const take = (key: string, count: number) => taken.set(key, (taken.get(key) ?? 0) + count);
    const allowed = new Map<string, number>();
    for (const { id, project, url } of receivers) {
      const { host } = new URL(url);
      const count = Math.min(
        free('all', MOST.all, underWay.size),
        free(`project ${project}`, MOST.project, countOf('project', project)),
        free(`host ${host}`, MOST.host, countOf('host', host)),
      );
      if (count <= 0) continue;
      for (const key of ['all', `project ${project}`, `host ${host}`]) take(key, count);
      allowed.set(id, count);
    }
    return allowed;
  }

  /** @returns the number of started deliveries. */
  async function claim(): Promise<number> {
    const receivers = inRandomOrder(await readReceivers(db));
    const most = allowance(receivers);
    if (most.size === 0) return 0;
    const claims = await claimDeliveries(db, most);
    const byId = new Map(receivers.map((receiver) => [receiver.id, receiver]));
    for (const claimed of claims) {
      const receiver = byId.get(claimed.webhook_id);
      if (receiver) start(receiver, claimed);
    }
    return claims.length;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const begun = await claim().catch((error: unknown) => {
        onError(error);
        return 0;
      });
      if (begun > 0 && underWay.size < MOST.all) continue;
      const timer = new AbortController();
      const either = AbortSignal.any([signal, timer.signal]);
      await Promise.race([woken, sleep(checkEvery, undefined, { signal: either }).catch(() => undefined)]);
      timer.abort();
    }
    await Promise.all(underWay.keys());
  }

  const running = run();
  return {
    /** Starts no further attempts. Resolves when the running attempts have ended. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
}

/** Shuffles the webhooks, so that no webhook is always first. */
function inRandomOrder(receivers: readonly Receiver[]): Receiver[] {
  const keyed = receivers.map((receiver) => ({ receiver, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ receiver }) => receiver);
}
