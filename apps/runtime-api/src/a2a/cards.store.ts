import { encodeId, type Database } from '@millwright/db';
import type { CardAgent } from './card.js';

/** What cards may not tell, instructions above all, is not read. */
const SELECT = `
  SELECT a.slug, a.name, a.description, a.version,
         coalesce((SELECT json_agg(json_build_object('id', s.id, 'name', s.name, 'description', s.description)
                                   ORDER BY l.position, s.id)
                     FROM agent_skills l JOIN skills s ON s.id = l.skill_id
                    WHERE l.agent_id = a.id AND s.status = 'active'), '[]') AS skills
    FROM agents a WHERE a.published`;

const toCardAgent = (row: CardAgent): CardAgent => ({
  ...row,
  skills: row.skills.map((skill) => ({ ...skill, id: encodeId('sk', skill.id) })),
});

/** Reads what cards show of agents, of every project: published agents are public. */
export function createCardStore(db: Database) {
  return {
    async list(): Promise<CardAgent[]> {
      const text = `${SELECT} ORDER BY a.created_at, a.id`;
      return (await db.prepared<CardAgent>('list-card-agents', text, [])).map(toCardAgent);
    },

    async find(slug: string): Promise<CardAgent | undefined> {
      const [row] = await db.prepared<CardAgent>('find-card-agent', `${SELECT} AND a.slug = $1`, [slug]);
      return row && toCardAgent(row);
    },

    /** The oldest agent that is at work. */
    async findDefault(): Promise<CardAgent | undefined> {
      const text = `${SELECT} AND a.status = 'active' ORDER BY a.created_at, a.id LIMIT 1`;
      const [row] = await db.prepared<CardAgent>('find-default-card-agent', text, []);
      return row && toCardAgent(row);
    },
  };
}
export type CardStore = ReturnType<typeof createCardStore>;
