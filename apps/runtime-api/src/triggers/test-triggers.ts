import { randomBytes } from 'node:crypto';
import { newId, type Prisma } from '@millwright/db';
import { newWebhookSecret } from '@millwright/events/signatures';
import { sealTriggerSecret } from '@millwright/runs/triggers';
import type { TestRuntime, TestUser } from '../test-runtime.js';

export interface TestTrigger {
  id: string;
  address: string;
  secret: string;
}

/** Makes triggers as the platform API does. `owner` is an admin. */
export function createTestTriggers({ db, secretBox }: Pick<TestRuntime, 'db' | 'secretBox'>, owner: TestUser) {
  const base = (id: string) => ({
    ...{ id, project: 'Core', name: `T ${id}`, agent: 'guide', input: 'Report for {{at}}.' },
    ...{ owner_id: owner.id, created_by: owner.id },
    rights: { scopes: ['admin', 'agents:message'], mcpTools: null },
  });
  type Changes = Partial<Prisma.TriggerUncheckedCreateInput>;

  return {
    /** Makes a trigger with an hourly schedule whose next time is due. */
    async cron(changes: Changes = {}): Promise<TestTrigger> {
      const id = newId();
      const schedule = { kind: 'cron', schedule: '0 * * * *', timezone: 'UTC', overlap: 'skip', next_at: new Date() };
      await db.prisma.trigger.create({ data: { ...base(id), ...schedule, ...changes } });
      return { id, address: '', secret: '' };
    },

    async webhook(changes: Changes = {}, secret = newWebhookSecret()): Promise<TestTrigger> {
      const id = newId();
      const address = randomBytes(24).toString('base64url');
      const hook = { kind: 'webhook', address, signature: 'standard', overlap: 'allow', input: '{{message}}' };
      const sealed = sealTriggerSecret(secretBox, id, secret);
      await db.prisma.trigger.create({ data: { ...base(id), ...hook, secret: sealed, ...changes } });
      return { id, address, secret };
    },

    rowOf: (id: string) => db.prisma.trigger.findUniqueOrThrow({ where: { id } }),
    firingsOf: (trigger_id: string) =>
      db.prisma.triggerFiring.findMany({ where: { trigger_id }, orderBy: { number: 'asc' } }),
  };
}
export type TestTriggers = ReturnType<typeof createTestTriggers>;

/** Polls until `read` returns an answer. */
export async function pollUntil<Answer>(read: () => Promise<Answer | undefined | false>): Promise<Answer> {
  for (;;) {
    const answer = await read();
    if (answer !== undefined && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
