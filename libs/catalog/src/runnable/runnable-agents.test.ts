import { createUser } from '@millwright/accounts';
import { createDatabase, newId, type Database } from '@millwright/db';
import { createTestDatabase, type TestDatabase } from '@millwright/testing';
import { findRunnableAgent } from '../index.js';

let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolMax: 2 });
  await db.transaction((tx) =>
    createUser(tx, { email: 'ada@example.com', name: 'Ada', role: 'user', platformAdmin: false, project: 'Core' }),
  );
  const { id: created_by } = await db.prisma.user.findUniqueOrThrow({ where: { email: 'ada@example.com' } });
  const skill = async (name: string, status = 'active') => {
    const data = {
      id: newId(),
      project: 'Core',
      name,
      description: `${name}.`,
      instructions: `Do ${name}.`,
      parameters: {},
      status,
      created_by,
    };
    return (await db.prisma.skill.create({ data })).id;
  };
  const agent = async (slug: string, project: string, skills: string[]) => {
    const { id } = await db.prisma.agent.create({
      data: { id: newId(), project, name: slug, slug, description: '', created_by },
    });
    await db.prisma.agentSkill.createMany({
      data: skills.map((skill_id, position) => ({ agent_id: id, skill_id, position })),
    });
  };
  const [first, second, asleep] = [await skill('first'), await skill('second'), await skill('asleep', 'inactive')];
  await agent('helper', 'Core', [second, asleep, first]);
  await agent('bare', 'Core', []);
  await agent('elsewhere', 'Commerce', []);
});

afterAll(async () => {
  await db.close();
  await database.drop();
});

describe('findRunnableAgent', () => {
  it('finds the agent with its active skills in their order', async () => {
    const agent = await findRunnableAgent(db, 'Core', 'helper');
    expect(agent).toMatchObject({ slug: 'helper', status: 'active', model: null });
    expect(agent?.skills).toEqual([
      { name: 'second', description: 'second.', instructions: 'Do second.', parameters: {} },
      { name: 'first', description: 'first.', instructions: 'Do first.', parameters: {} },
    ]);
  });

  it('returns undefined for an agent of another project and for an unknown slug', async () => {
    expect(await findRunnableAgent(db, 'Core', 'elsewhere')).toBeUndefined();
    expect(await findRunnableAgent(db, 'Core', 'Helper')).toBeUndefined();
  });
});
