import type { Logger, Metrics } from '@millwright/http/process';
import { Counter } from 'prom-client';

/** A link that is sent to the address of an account. */
export interface MagicLink {
  /** `recovery` of an account, or `setup` of a new account. */
  purpose: 'recovery' | 'setup';
  /** Email address as it is stored in the account. */
  email: string;
  token: string;
  url: string;
  expiresAt: Date;
  requestId: string;
}

/** A message about an account, which contains no secret. */
export interface Notice {
  email: string;
  kind: string;
  subject: string;
  text: string;
  requestId: string | null;
}

/** A delivery of recovery links and of messages about accounts. */
export interface Sender {
  channel: 'log' | 'smtp' | 'webhook';
  /** Sends a link. Rejects when the link was not delivered. */
  send: (link: MagicLink) => Promise<void>;
  /** Sends a message. Rejects when the message was not delivered. */
  notify: (notice: Notice) => Promise<void>;
  close?: () => Promise<void> | void;
}

export interface Delivery {
  channel: Sender['channel'];
  /** Creates and sends a link after the answer, so that neither the answer nor its duration reveals the outcome. */
  start: (issue: () => Promise<MagicLink | null | undefined>, requestId: string) => void;
  /** Resolves when no delivery is in progress. */
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

  async function deliver(issue: () => Promise<MagicLink | null | undefined>, requestId: string): Promise<void> {
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

/**
 * Returns the name and the codes of an error, without its message: servers quote the text that they refuse, and this text contains the
 * link.
 */
export function faultOf(error: unknown): object {
  const known: Partial<Record<'name' | 'code' | 'kind' | 'responseCode' | 'status', unknown>> = error ?? {};
  const { name, code, kind, responseCode, status } = known;
  const details = { fault: name, code, kind, response_code: responseCode, status };
  const isWord = (value: unknown) => typeof value === 'string' && /^\w{1,60}$/.test(value);
  return Object.fromEntries(Object.entries(details).filter(([, value]) => typeof value === 'number' || isWord(value)));
}
