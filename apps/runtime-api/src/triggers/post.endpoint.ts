import { encodeId, type Database } from '@millwright/db';
import { AppError } from '@millwright/errors';
import type { AskFilter } from '@millwright/guards';
import { newWebhookSecret } from '@millwright/events/signatures';
import { createAddressLimit } from '@millwright/http';
import type { Work } from '@millwright/http/process';
import { createWork } from '@millwright/http/process';
import type { RateLimiter } from '@millwright/rate-limit';
import { addFiring, openTriggerSecret, renderInput, sealTriggerSecret } from '@millwright/runs/triggers';
import { SecretUnreadable, type SecretBox } from '@millwright/secrets';
import express, { Router, type RequestHandler } from 'express';
import { createPostGuard } from './guard-post.js';
import type { TriggerRunner } from './trigger-runner.js';
import type { PostTrigger } from './triggers.store.js';
import { verifyPost } from './verify-post.js';

export interface PostOptions {
  db: Database;
  limiter: RateLimiter;
  secretBox: SecretBox;
  runner: Pick<TriggerRunner, 'triggers' | 'look'>;
  askFilter: AskFilter;
  work?: Work | undefined;
  /** Returns the time in Unix milliseconds. */
  now?: () => number;
}

const PATH = '/api/v1/triggers/:address';
const TEMPLATE = '/api/v1/triggers/{address}';
const MOST_BYTES = 256 * 1_024;
/** Limit of posts per minute and address. Posts with a wrong signature count too. */
const PER_ADDRESS = { name: 'trigger-ip', limit: 300 } as const;
/** Limit of correctly signed posts per minute and trigger. */
const PER_TRIGGER = { name: 'trigger', limit: 120 } as const;
/** Retry-After in seconds when the queue of a trigger is full or its rate limit is reached. */
const FULL_SECONDS = 10;
const NO_TRIGGER = '00000000-0000-0000-0000-000000000000';

const readBytes: RequestHandler = express.raw({ type: () => true, limit: MOST_BYTES, inflate: false });

/**
 * `POST /api/v1/triggers/{address}`: a signed post that starts a run (Standard Webhooks, or the forms of GitHub and Stripe). The answer is
 * sent once the post is stored; the run starts later. An unknown address and a wrong signature lead to the same answer after the same
 * amount of work, so that a sender cannot find out which addresses exist.
 */
export function postEndpoint(options: PostOptions): Router {
  const { db, limiter, secretBox, runner, askFilter, work = createWork(), now = Date.now } = options;
  const guardPost = createPostGuard(db, runner.triggers, askFilter);
  const limitAddress = createAddressLimit(limiter, PER_ADDRESS);
  const secret = sealTriggerSecret(secretBox, NO_TRIGGER, newWebhookSecret());
  const none: PostTrigger = { id: NO_TRIGGER, signature: 'standard', secret, former_secret: null };

  const open = (trigger: PostTrigger, sealed: string): string[] => {
    try {
      return [openTriggerSecret(secretBox, trigger.id, sealed)];
    } catch (error) {
      if (error instanceof SecretUnreadable) return []; // the encryption key of the secret no longer exists, so no post can be verified
      throw error;
    }
  };

  async function requireRoom(id: string): Promise<void> {
    const { admitted } = await limiter.consume(PER_TRIGGER, id);
    if (!admitted) throw new AppError('rate_limited', { retryAfter: FULL_SECONDS });
  }

  /**
   * Stores a firing of an active trigger.
   * @throws AppError unauthorized when the trigger was deleted meanwhile; conflict when it is inactive; rate_limited when its queue is full
   * or its template was changed meanwhile
   */
  async function store(id: string, messageId: string, body: string) {
    const at = new Date(now());
    const guarded = await guardPost(id, at, body);
    return db.transaction(async (tx) => {
      const trigger = await runner.triggers.lock(tx, id);
      if (!trigger) throw new AppError('unauthorized');
      if (trigger.status !== 'active')
        throw new AppError('conflict', { fields: [{ field: 'trigger', reason: 'is inactive' }] });
      const rendered = renderInput(trigger.input, { trigger: trigger.name, at, body });
      // The template was changed after the guards checked the message. The sender must send the post again.
      if (guarded && guarded.rendered !== rendered) throw new AppError('rate_limited', { retryAfter: FULL_SECONDS });
      const input = guarded ? guarded.left : rendered;
      const firing = await addFiring(tx, trigger, { source: 'webhook', key: `message ${messageId}`, at, input });
      // The error rolls back the firing, so that a retry of the sender can be accepted.
      if (firing.reason === 'full' && !firing.isRepeated)
        throw new AppError('rate_limited', { retryAfter: FULL_SECONDS });
      return firing;
    });
  }

  const router = Router({ caseSensitive: true, strict: true });
  router.post(
    PATH,
    async (request, response, next) => {
      response.locals.route = TEMPLATE;
      await limitAddress(request, response);
      await response.locals.admission?.admitAnonymous();
      next();
    },
    readBytes,
    async (request, response) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const found = await runner.triggers.findByAddress(String(request.params['address']).slice(0, 100));
      const trigger = found ?? none;
      const secrets = [trigger.secret, trigger.former_secret].flatMap((sealed) =>
        sealed ? open(trigger, sealed) : [],
      );
      const post = verifyPost(trigger.signature, secrets, { headers: request.headers, body }, now());
      if (!found || !post) throw new AppError('unauthorized');
      await requireRoom(found.id);
      const firing = await work.track(store(found.id, post.id, body.toString()));
      runner.look();
      response.set('Cache-Control', 'no-store');
      const run_id = firing.runId === null ? null : encodeId('run', firing.runId);
      response.status(202).json({ id: encodeId('fir', firing.id), state: firing.state, run_id });
    },
  );
  return router;
}
