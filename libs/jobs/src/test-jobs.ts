import { createUser } from '@millwright/accounts';
import { createDatabase, type Database } from '@millwright/db';
import type { Job } from './index.js';

/** A schedule that is due every second, so that tests do not wait for minutes. Real schedules have no field for seconds. */
export const EVERY_SECOND = '* * * * * *';
export const NEVER = '0 0 29 2 *';

export const openDatabase = (url: string): Database => createDatabase({ url, poolMax: 5 });

export async function makeAdmin(db: Database, email: string): Promise<Job['owner']> {
  await db.transaction((tx) =>
    createUser(tx, { email, name: email, role: 'admin', platformAdmin: false, project: 'Core' }),
  );
  const { id } = await db.prisma.user.findUniqueOrThrow({ where: { email } });
  return { id, email };
}

/** Creates tables for the effects of a test's handler, for its starts, and for the gate at which it waits. */
export async function makeEffects(db: Database): Promise<void> {
  await db.prisma.$executeRaw`CREATE TABLE effects (job text, tick timestamptz, pid int, at timestamptz DEFAULT now())`;
  await db.prisma.$executeRaw`CREATE TABLE begun (tick timestamptz, pid int, at timestamptz DEFAULT clock_timestamp())`;
  await db.prisma.$executeRaw`CREATE TABLE gate (closed boolean)`;
  await db.prisma.$executeRaw`INSERT INTO gate VALUES (false)`;
}

/** Polls until the result is defined. */
export async function pollUntil<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
