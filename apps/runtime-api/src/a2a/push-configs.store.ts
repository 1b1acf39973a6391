import type { Tx, Database } from '@millwright/db';
import { secretPlaces, type SecretBox } from '@millwright/secrets';
import { z } from 'zod';

/** Limit of the push configurations of one task. */
export const MOST_CONFIGS = 10;

/** Credentials that a receiver expects in each notification. */
const Secrets = z.object({
  token: z.string(),
  scheme: z.string(),
  credentials: z.string(),
});
export type PushSecrets = z.output<typeof Secrets>;

export interface PushConfig {
  id: string;
  url: string;
  secrets: PushSecrets;
}

const NONE: PushSecrets = { token: '', scheme: '', credentials: '' };

/** Decrypts the credentials of a push configuration. @throws SecretUnreadable when no configured key can decrypt them */
export const openPushSecrets = (box: SecretBox, runId: string, id: string, sealed: string | null): PushSecrets =>
  sealed === null ? NONE : Secrets.parse(JSON.parse(box.open(sealed, secretPlaces.pushConfig(runId, id))));

/** Reads and writes the push configurations of tasks. `runId` is the row id of the task's run. */
export function createPushConfigStore(db: Database, box: SecretBox) {
  const toConfig = (runId: string, { id, url, secrets }: { id: string; url: string; secrets: string | null }) => ({
    id,
    url,
    secrets: openPushSecrets(box, runId, id, secrets),
  });

  return {
    /**
     * Adds a push configuration, or replaces the one with the same id.
     * @returns false when the task already has the maximum number, or when the former release stored the task
     */
    async put(tx: Tx, runId: string, { id, url, secrets }: PushConfig): Promise<boolean> {
      const runs = await tx.$queryRaw<unknown[]>`SELECT id FROM runs WHERE id = ${runId}::uuid FOR UPDATE`;
      const others = await tx.pushConfig.count({ where: { run_id: runId, id: { not: id } } });
      if (runs.length === 0 || others >= MOST_CONFIGS) return false;
      const hasSecrets = Object.values(secrets).some((value) => value !== '');
      const data = {
        url,
        secrets: hasSecrets ? box.seal(JSON.stringify(secrets), secretPlaces.pushConfig(runId, id)) : null,
      };
      const where = { run_id_id: { run_id: runId, id } };
      await tx.pushConfig.upsert({ where, create: { run_id: runId, id, ...data }, update: data });
      return true;
    },

    async find(runId: string, id: string): Promise<PushConfig | undefined> {
      const row = await db.prisma.pushConfig.findUnique({ where: { run_id_id: { run_id: runId, id } } });
      return row ? toConfig(runId, row) : undefined;
    },

    /** Lists the push configurations of a run, oldest first. */
    async list(runId: string): Promise<PushConfig[]> {
      const rows = await db.prisma.pushConfig.findMany({
        where: { run_id: runId },
        orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
        take: MOST_CONFIGS,
      });
      return rows.map((row) => toConfig(runId, row));
    },

    async remove(runId: string, id: string): Promise<void> {
      await db.prisma.pushConfig.deleteMany({ where: { run_id: runId, id } });
    },
  };
}
export type PushConfigStore = ReturnType<typeof createPushConfigStore>;
