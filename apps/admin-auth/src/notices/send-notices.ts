import { setTimeout as sleep } from 'node:timers/promises';
import type { NoticeDetail, NoticeKind } from '@millwright/accounts';
import type { Database } from '@millwright/db';
import type { Logger } from '@millwright/http/process';
import { faultOf, type Sender } from '../magic-link/delivery.js';
import { noticeText } from './notice-texts.js';

export interface NoticeOptions {
  db: Database;
  sender: Pick<Sender, 'channel' | 'notify'>;
  logger: Logger;
  baseUrl: string;
}

interface DueNotice {
  id: string;
  email: string;
  kind: NoticeKind;
  request_id: string | null;
  detail: NoticeDetail;
}

/** Milliseconds between two checks for messages. */
const EVERY_MS = 10_000;

/** Claims one due message, so that no other replica sends it. The claim's duration doubles with each attempt, up to an hour. */
const TAKE = `
  UPDATE account_notices SET tries = tries + 1, due_at = now() + least(interval '1 minute' * 2 ^ tries, interval '1 hour')
   WHERE id = (SELECT id FROM account_notices WHERE due_at <= now() ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, email, kind, request_id, detail`;

/**
 * Sends all due messages. A failed message is kept for another attempt; the job `expire-one-time` deletes it after three days.
 */
export async function sendNotices({ db, sender, logger, baseUrl }: NoticeOptions): Promise<void> {
  for (;;) {
    const [due] = await db.prepared<DueNotice>('take-notice', TAKE, []);
    if (!due) return;
    const { id, email, kind, request_id: requestId, detail } = due;
    try {
      await sender.notify({ email, kind, requestId, ...noticeText(kind, { email, baseUrl, detail }) });
      await db.prisma.accountNotice.delete({ where: { id } });
    } catch (error) {
      const event = 'account.notice_failed';
      logger.error({ event, kind, channel: sender.channel, request_id: requestId, ...faultOf(error) }, event);
    }
  }
}

/** Polls for messages until it is stopped. Messages are rows, so that they survive the end of the process that queued them. */
export function sendNoticesRepeatedly(options: NoticeOptions): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await sendNotices(options).catch((err: unknown) => options.logger.warn({ err }, 'messages to users are delayed'));
      await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
