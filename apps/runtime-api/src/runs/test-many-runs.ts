import { eraseUser } from '@millwright/accounts';
import { newId } from '@millwright/db';
import { createFakeModel, createTestDatabase, type FakeModel, type TestDatabase } from '@millwright/testing';
import { agentIdOf, startRuntime, type TestRuntime, type TestUser } from '../test-runtime.js';

/** Number of runs that one statement adds. */
const STEP = 1_000;

/**
 * Tests that many runs are ended in batches.
 * @param report receives each figure, in seconds
 */
export function testManyRuns(count: number, report: (what: string, seconds: number) => void): void {
  let database: TestDatabase;
  let model: FakeModel;
  let runtime: TestRuntime;
  let admin: TestUser;
  beforeAll(async () => {
    [database, model] = await Promise.all([createTestDatabase(), createFakeModel('Done.')]);
    runtime = await startRuntime(database.url, model.url);
    admin = await runtime.newUser('grace@example.com', { role: 'admin' });
  });
  afterAll(async () => {
    await runtime.close();
    await Promise.all([database.drop(), model.close()]);
  });

  async function newAgent(): Promise<{ slug: string; id: string }> {
    const slug = `worker${newId().slice(-8)}`;
    await runtime.newAgent({ name: slug });
    return { slug, id: await agentIdOf(runtime, slug) };
  }

  /** Adds pairs of runs: one run that waits for a person, and one run of the same conversation that is queued behind it. */
  async function addRuns({ slug, id }: { slug: string; id: string }, { id: userId, actor }: TestUser): Promise<void> {
    const caller = JSON.stringify({ project: 'Core', actor, scopes: [], mcpTools: null });
    for (let left = count; left > 0; left -= STEP)
      await database.sql`
      WITH pairs AS MATERIALIZED (SELECT gen_random_uuid() AS id FROM generate_series(1, ${Math.min(STEP, left) / 2}::int)),
      conversations AS (
        INSERT INTO contexts (id, project, agent_id, user_id) SELECT id, 'Core', ${id}::uuid, ${userId}::uuid FROM pairs),
      added AS (
        INSERT INTO runs (id, project, user_id, subject_kind, subject_id, subject_name, subject_version, channel, caller, state, waiting_for,
                          event_count, context_id)
        SELECT overlay(p.id::text PLACING (CASE n WHEN 1 THEN '0' ELSE '1' END) FROM 1 FOR 1)::uuid, 'Core', ${userId}::uuid, 'agent',
               ${id}::uuid, ${slug}, 1, 'messages', ${caller}::json, CASE n WHEN 1 THEN 'waiting' ELSE 'queued' END,
               CASE n WHEN 1 THEN 'approval' END, 1, p.id
          FROM pairs p, generate_series(1, 2) n RETURNING id, state)
      INSERT INTO run_events (run_id, seq, type, data) SELECT id, 1, 'run.' || state, '{}'::json FROM added`;
  }

  async function statesOf(where: { subject_id: string } | { user_id: string }): Promise<Record<string, number>> {
    const groups = await runtime.db.prisma.run.groupBy({ by: ['state'], where, _count: true });
    return Object.fromEntries(groups.map(({ state, _count }) => [state, _count]));
  }

  /** Waits until no run of the agent is queued or waits, while another agent answers. @returns seconds */
  async function ended({ id }: { id: string }, neighbour: string): Promise<number> {
    const began = performance.now();
    for (;;) {
      const { queued = 0, waiting = 0, running = 0 } = await statesOf({ subject_id: id });
      if (queued + waiting + running === 0) return (performance.now() - began) / 1_000;
      const answer = await runtime.as(await runtime.newToken({}))('POST', `/api/v1/agents/${neighbour}/messages`, {
        json: { content: 'Hi' },
      });
      expect(answer.status).toBe(200);
    }
  }

  describe(`${count} runs that are queued or wait`, () => {
    it('are canceled in steps by a stop of their agent, while other agents answer', async () => {
      const [agent, neighbour] = [await newAgent(), await newAgent()];
      await addRuns(agent, runtime.owner);
      const asAdmin = runtime.as(await runtime.newToken({ userId: admin.id }));
      expect((await asAdmin('POST', `/api/v1/agents/${agent.slug}/stop`)).status).toBe(200);
      report('stop of an agent', await ended(agent, neighbour.slug));
      expect(await statesOf({ subject_id: agent.id })).toEqual({ canceled: count });
    }, 600_000);

    it('are canceled by another process when the process that cancels them dies', async () => {
      const [agent, neighbour] = [await newAgent(), await newAgent()];
      await addRuns(agent, runtime.owner);
      // Simulates a process that has committed only the stop.
      await runtime.db.prisma.agent.update({ where: { id: agent.id }, data: { stopped_at: new Date() } });
      await ended(agent, neighbour.slug);
      expect(await statesOf({ subject_id: agent.id })).toEqual({ canceled: count });
    }, 600_000);

    it('fail in steps once their agent is deleted', async () => {
      const [agent, neighbour] = [await newAgent(), await newAgent()];
      await addRuns(agent, runtime.owner);
      await runtime.db.prisma.agent.delete({ where: { id: agent.id } });
      report('deletion of an agent', await ended(agent, neighbour.slug));
      expect(await statesOf({ subject_id: agent.id })).toEqual({ failed: count });
      const where = { subject_id: agent.id, error_code: 'agent_deleted' };
      expect(await runtime.db.prisma.run.count({ where })).toBe(count);
    }, 600_000);

    it('are deleted in steps with their user', async () => {
      const agent = await newAgent();
      const user = await runtime.newUser(`${newId()}@example.com`);
      await addRuns(agent, user);
      const began = performance.now();
      const erased = await eraseUser(runtime.db, user.id, admin.actor);
      report('erasure of a user', (performance.now() - began) / 1_000);
      expect(erased.rows['runs']).toBeGreaterThan(0);
      expect(await statesOf({ user_id: user.id })).toEqual({});
    }, 600_000);
  });
}
