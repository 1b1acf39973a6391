import type { Caller } from '@millwright/auth';
import { AGENTS, changeAgentRecord, createAgentRecord, removeAgentRecord } from '@millwright/catalog';
import { asRole, createDatabase, encodeId, type Tx } from '@millwright/db';
import { serviceConnection } from '@millwright/testing';
import { agentIdOf, type TestRuntime } from '../test-runtime.js';

/** Row ids of the records that an agent uses. */
type Uses = NonNullable<Parameters<typeof createAgentRecord>[3]>;

/** Changes agents as the platform API does, with the database role of the platform API. */
export function createAgentEditor(databaseUrl: string, runtime: Pick<TestRuntime, 'db' | 'owner'>) {
  const db = createDatabase({ ...serviceConnection(asRole(databaseUrl, 'platform-api')), poolMax: 3 });
  const caller: Caller = { project: 'Core', actor: runtime.owner.actor };
  const targetOf = async (slug: string) => ({
    id: encodeId('ag', await agentIdOf(runtime, slug)),
    ifMatch: undefined,
  });

  return {
    async create(name: string, fields: { instructions: string }, uses: Uses): Promise<void> {
      const agent = { description: '', published: true, name, ...fields };
      await db.transaction((tx) => createAgentRecord(tx, caller, agent, uses));
    },

    async change(slug: string, changes: Parameters<typeof changeAgentRecord>[3], uses?: Uses): Promise<void> {
      const target = await targetOf(slug);
      await db.transaction(async (tx) =>
        changeAgentRecord(tx, caller, await AGENTS.lock(tx, caller, target), changes, uses),
      );
    },

    /** Deletes an agent. `beforeCommit` runs in the transaction of the deletion. */
    async remove(slug: string, beforeCommit: (tx: Tx) => Promise<unknown> = () => Promise.resolve()): Promise<void> {
      const target = await targetOf(slug);
      await db.transaction(async (tx) => {
        await removeAgentRecord(tx, caller, target);
        await beforeCommit(tx);
      });
    },

    close: () => db.close(),
  };
}
export type AgentEditor = ReturnType<typeof createAgentEditor>;
