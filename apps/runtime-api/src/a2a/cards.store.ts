import type { Project } from '@millwright/auth';
import { slugify } from '@millwright/catalog';
import { encodeId, type Database } from '@millwright/db';
import type { ProjectModels } from '@millwright/models';
import { CONCIERGE } from '../concierge/concierge.js';
import { requireDefaultAgent } from '../agents/find-agent.js';
import type { CardAgent } from './card.js';

/** The columns that cards publish. The agent's instructions are not published. */
const SELECT = `
  SELECT a.slug, a.name, a.description, a.version, a.project, a.model,
         coalesce((SELECT json_agg(json_build_object('id', s.id, 'name', s.name, 'description', s.description)
                                   ORDER BY l.position, s.id)
                     FROM agent_skills l JOIN skills s ON s.id = l.skill_id
                    WHERE l.agent_id = a.id AND s.status = 'active'), '[]') AS skills
    FROM agents a WHERE a.published`;

/** Number of cards on a page. */
const PAGE = 100;

type CardRow = Omit<CardAgent, 'readsImages'> & { project: Project; model: string | null };

/** The built-in agent has no row in the database. */
const CONCIERGE_CARD: CardAgent = {
  slug: CONCIERGE.slug,
  name: CONCIERGE.name,
  description: CONCIERGE.description,
  version: 1,
  readsImages: false,
  skills: CONCIERGE.skills.map(({ name, description }) => ({ id: slugify(name), name, description })),
};

/** Reads the published agents of all projects for their cards. Cards are public, so the project of a reader does not matter. */
export function createCardStore(db: Database, models: Pick<ProjectModels, 'of'>) {
  /** Whether the agent's model reads images. A deleted model reads none. */
  async function readsImages({ project, model }: CardRow): Promise<boolean> {
    const present = await models.of(project);
    const name = model ?? present.defaultModel;
    return present.names().includes(name) && present.imageInput(name) !== 'none';
  }

  async function toCardAgent(row: CardRow): Promise<CardAgent> {
    const { slug, name, description, version } = row;
    const skills = row.skills.map((skill) => ({ ...skill, id: encodeId('sk', skill.id) }));
    return { slug, name, description, version, skills, readsImages: await readsImages(row) };
  }

  async function find(slug: string): Promise<CardAgent | undefined> {
    if (slug === CONCIERGE.slug) return CONCIERGE_CARD;
    const [row] = await db.prepared<CardRow>('find-card-agent', `${SELECT} AND a.slug = $1`, [slug]);
    return row && toCardAgent(row);
  }

  return {
    find,

    /** Lists a page of the published agents, oldest first. When no agent is published, the list contains only the built-in agent. */
    async list(page: number): Promise<{ agents: CardAgent[]; hasNext: boolean }> {
      const text = `${SELECT} ORDER BY a.created_at, a.id LIMIT $1 OFFSET $2`;
      const rows = await db.prepared<CardRow>('list-card-agents', text, [PAGE + 1, (page - 1) * PAGE]);
      const agents = await Promise.all(rows.slice(0, PAGE).map(toCardAgent));
      return { agents: page === 1 && rows.length === 0 ? [CONCIERGE_CARD] : agents, hasNext: rows.length > PAGE };
    },

    /** Finds the card of the default agent; `undefined` only when that agent was unpublished a moment ago. */
    findDefault: async (): Promise<CardAgent | undefined> => find((await requireDefaultAgent(db)).slug),
  };
}
export type CardStore = ReturnType<typeof createCardStore>;
