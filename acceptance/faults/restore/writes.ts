import { createHash, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { callers } from '../../harness/calls.js';
import type { Platform } from '../../harness/platform.js';

const CLIENTS = 8;
/** A pause between two requests of a client, in milliseconds. */
const PACE_MS = 40;
/** Bytes of the largest file. */
const MAX_FILE = 200_000;

/** A write that a service has acknowledged. */
export interface Write {
  /** API and path of the written record, and a text that a later read must contain. */
  api: 'platform' | 'runtime' | 'prompt';
  path: string;
  contains: string;
  /** SHA-256 of the bytes; only for files. */
  sha256?: string;
  /** Whether the write deleted the record. */
  deletes: boolean;
  /** Times of the request and of its answer, in milliseconds since 1970. */
  sentAt: number;
  acknowledgedAt: number;
}

export interface Writers {
  readonly acknowledged: readonly Write[];
  /** Answers whose status was not the expected one. */
  readonly refused: readonly string[];
  /** Waits for this number of further acknowledged writes. */
  more(count: number): Promise<void>;
  /** Ends the clients. A request without an answer counts as not acknowledged. */
  stop(): Promise<void>;
}

class Refused extends Error {}

type Kind = (n: number) => Promise<Pick<Write, 'api' | 'path' | 'contains' | 'sha256'>>;

/** Starts clients that write at every API: skills with their versions, content with its index, blocks, runs of an agent, and files. */
export async function startWriters(platform: Platform): Promise<Writers> {
  const call = callers(platform);
  await call.platform('/agents', { body: { name: 'Scribe', description: 'Writes minutes.' } });
  const acknowledged: Write[] = [];
  const refused: string[] = [];
  const require = (expected: number, { status, text }: { status: number; text: string }) => {
    if (status !== expected) throw new Refused(`${status} instead of ${expected}: ${text.slice(0, 300)}`);
  };
  let running = true;
  let next = 0;

  const kinds: Kind[] = [
    async (n) => {
      const name = `Skill ${n}`;
      const skill = { name, description: '', instructions: 'Be restored.' };
      const answer = await call.platform<{ id: string }>('/skills', { body: skill });
      require(201, answer);
      return { api: 'platform', path: `/skills/${answer.body.id}`, contains: name };
    },
    async (n) => {
      const title = `Note ${n}`;
      const path = '/api/v1/content';
      const answer = await call.runtime<{ id: string }>(path, { body: { title, content: 'Be restored.' } });
      require(201, answer);
      return { api: 'runtime', path: `${path}/${answer.body.id}`, contains: title };
    },
    async (n) => {
      const prefix = `block_${String(n).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`;
      const block = { prefix, content: 'Be restored.', metadata: {} };
      const answer = await call.prompt<{ id: string }>('/block', { body: block });
      require(201, answer);
      return { api: 'prompt', path: `/block/${answer.body.id}`, contains: prefix };
    },
    async (n) => {
      const path = '/api/v1/runs';
      const run = { agent: 'scribe', content: `Write line ${n}.` };
      const answer = await call.runtime<{ id: string }>(path, { body: run });
      require(202, answer);
      return { api: 'runtime', path: `${path}/${answer.body.id}`, contains: answer.body.id };
    },
    async (n) => {
      const bytes = randomBytes(randomInt(1, MAX_FILE));
      const form = new FormData();
      form.set('path', `file-${n}.bin`);
      form.set('file', new Blob([bytes]));
      const headers = { authorization: `Bearer ${platform.apiKey}` };
      const answer = await fetch(`${platform.runtimeUrl}/api/v1/files`, { method: 'POST', body: form, headers });
      const text = await answer.text();
      require(201, { status: answer.status, text });
      const { id } = JSON.parse(text) as { id: string };
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return { api: 'runtime', path: `/api/v1/files/${id}`, contains: sha256, sha256 };
    },
  ];

  async function write(n: number): Promise<void> {
    const sentAt = Date.now();
    const made = await kinds[n % kinds.length]?.(n);
    if (!made) return;
    acknowledged.push({ ...made, deletes: false, sentAt, acknowledgedAt: Date.now() });
    // Every second file is deleted, so that some files disappear while the backup reads them.
    if (made.sha256 === undefined || n % 2 === 0) return;
    await delay(PACE_MS * 5);
    const deletedAt = Date.now();
    const { status } = await call.runtime(made.path, { method: 'DELETE' });
    if (status === 200) acknowledged.push({ ...made, deletes: true, sentAt: deletedAt, acknowledgedAt: Date.now() });
  }

  const clients = Array.from({ length: CLIENTS }, async () => {
    while (running) {
      await write(next++).catch((error: unknown) => {
        // A lost connection is not a refusal: the write may have succeeded.
        if (error instanceof Refused) refused.push(error.message);
      });
      await delay(PACE_MS);
    }
  });
  return {
    acknowledged,
    refused,
    async more(count) {
      const enough = acknowledged.length + count;
      while (acknowledged.length < enough) await delay(PACE_MS);
    },
    async stop() {
      running = false;
      await Promise.all(clients);
    },
  };
}
