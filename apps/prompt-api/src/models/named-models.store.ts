import type { Project } from '@millwright/auth';
import { isUuid, type Database } from '@millwright/db';
import { AppError, invalidField } from '@millwright/errors';
import { slugify } from '@millwright/catalog';

/** The agent or prompt that a model name refers to. */
export interface NamedRecord {
  /** Slug of the agent, or id of the prompt. */
  key: string;
  name: string;
  created_at: Date;
}

/** Maximum number of agents in the list of models, and maximum number of prompts in that list. */
const MOST_LISTED = 500;

/** SQL for the slug of a title, as `slugify` makes it. */
const SLUG_OF_TITLE = `rtrim(left(ltrim(regexp_replace(lower(regexp_replace(normalize(title, NFKD), '[\\u0300-\\u036f]', '', 'g')),
  '[^a-z0-9]+', '-', 'g'), '-'), 60), '-')`;

/** Reads the agents and prompts that can be used as models. Every function accesses only one project. */
export function createNamedModelStore(db: Database) {
  return {
    listAgents: (project: Project): Promise<NamedRecord[]> =>
      db.prepared(
        'list-agents-as-models',
        `SELECT slug AS key, name, created_at FROM agents WHERE project = $1 AND status = 'active'
          ORDER BY created_at DESC, id DESC LIMIT ${MOST_LISTED}`,
        [project],
      ),

    listPrompts: (project: Project): Promise<NamedRecord[]> =>
      db.prepared(
        'list-prompts-as-models',
        `SELECT id::text AS key, title AS name, created_at FROM prompts WHERE project = $1 AND deleted_at IS NULL
          ORDER BY created_at DESC, id DESC LIMIT ${MOST_LISTED}`,
        [project],
      ),

    async findAgent(project: Project, slug: string): Promise<NamedRecord | undefined> {
      const [agent] = await db.prepared<NamedRecord>(
        'find-agent-as-model',
        `SELECT slug AS key, name, created_at FROM agents WHERE project = $1 AND slug = $2 AND status = 'active'`,
        [project, slug],
      );
      return agent;
    },

    /**
     * Finds a prompt by its id or the slug of its title.
     *
     * @throws AppError not_found, validation_error for a slug that several prompts have
     */
    async requirePrompt(project: Project, idOrSlug: string): Promise<NamedRecord> {
      const byId = isUuid(idOrSlug);
      if (!byId && slugify(idOrSlug) !== idOrSlug) throw new AppError('not_found');
      const [prompt, another] = await db.prepared<NamedRecord>(
        byId ? 'find-prompt-as-model' : 'find-prompt-by-slug',
        `SELECT id::text AS key, title AS name, created_at FROM prompts
          WHERE project = $1 AND deleted_at IS NULL AND ${byId ? 'id = $2::uuid' : `${SLUG_OF_TITLE} = $2`} LIMIT 2`,
        [project, idOrSlug],
      );
      if (!prompt) throw new AppError('not_found');
      if (another) throw invalidField('model', 'is the name of several prompts: use the id of one');
      return prompt;
    },
  };
}
export type NamedModelStore = ReturnType<typeof createNamedModelStore>;
