import type { Logger, Metrics } from '@millwright/http';
import { Counter } from 'prom-client';

export interface MagicLink {
  /** As the account has it. */
  email: string;
  token: string;
  url: string;
  expiresAt: Date;
  requestId: string;
}

/** One way to bring a link to its owner. */
export interface Sender {
  channel: 'log' | 'smtp' | 'webhook';
  /** Rejects when the link was not handed over. */
  send: (link: MagicLink) => Promise<void>;
  close?: () => Promise<void> | void;
}

export interface Delivery {
  channel: Sender['channel'];
  /** Makes a link and sends it, off the request's path: what comes of it shows in neither the answer nor its time. */
  start: (issue: () => Promise<MagicLink | undefined>, requestId: string) => void;
  /** Resolves when nothing is under way. */
  settled: () => Promise<void>;
  close: () => Promise<void>;
}

export interface DeliveryOptions {
  sender: Sender;
  logger: Logger;
  metrics: Metrics;
}

export function createDelivery({ sender, logger, metrics }: DeliveryOptions): Delivery {
  const { channel } = sender;
  const underWay = new Set<Promise<void>>();
  const deliveries = new Counter({
    name: 'magic_link_deliveries_total',
    help: 'Recovery links handed to where they are sent from',
    labelNames: ['channel', 'outcome'],
    registers: [metrics.registry],
  });

  async function deliver(issue: () => Promise<MagicLink | undefined>, requestId: string): Promise<void> {
    try {
      const link = await issue();
      if (!link) return;
      await sender.send(link);
      deliveries.inc({ channel, outcome: 'sent' });
    } catch (error) {
      deliveries.inc({ channel, outcome: 'failed' });
      const event = 'magic_link.delivery_failed';
      logger.error({ event, channel, request_id: requestId, ...faultOf(error) }, event);
    }
  }

  const settled = async () => {
    while (underWay.size > 0) await Promise.all(underWay);
  };
  return {
    channel,
    start(issue, requestId) {
      const work = deliver(issue, requestId).finally(() => underWay.delete(work));
      underWay.add(work);
    },
    settled,
    async close() {
      await settled();
      await sender.close?.();
    },
  };
}

/** Kinds and codes only: servers quote in their texts what they refuse, the link included. */
function faultOf(error: unknown): object {
  const { name, code, kind, responseCode, status } = (error ?? {}) as Record<string, unknown>;
  const told = { fault: name, code, kind, response_code: responseCode, status };
  const isWord = (value: unknown) => typeof value === 'string' && /^\w{1,60}$/.test(value);
  return Object.fromEntries(Object.entries(told).filter(([, value]) => typeof value === 'number' || isWord(value)));
}
