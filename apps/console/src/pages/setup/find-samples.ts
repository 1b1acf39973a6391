import { withQuery } from '../../api/api.js';
import type { List } from '../../api/admin-records.js';
import { askArea, callArea, type Area } from '../../api/areas.js';
import { answerOf, ApiError } from '../../api/client.js';
import type { Agent, ContentItem, Skill } from '../../api/platform-records.js';
import type { Prompt } from '../../api/prompt-records.js';
import { versionIn } from '../versions/version-in.js';
import { isSample, PROMPT_VERSION, SAMPLE_WORDS, TAG, type SampleKind } from './sample-records.js';

/** A sample record of the project. */
export interface Sample {
  area: Extract<Area, 'platform' | 'prompt'>;
  kind: SampleKind;
  id: string;
  name: string;
  /** ETag of the version that was found. A sample is deleted only if this is still its version. */
  etag: string;
  /** Whether somebody has changed the record since it was added. */
  isChanged: boolean;
}

const PATHS = {
  agent: '/api/v1/agents',
  skill: '/api/v1/skills',
  content: '/api/v1/content',
  prompt: '/v1/prompt',
} as const satisfies Record<SampleKind, string>;

const areaOf = (kind: SampleKind): Sample['area'] => (kind === 'prompt' ? 'prompt' : 'platform');

/** Reads a record with its version. Returns an empty list if the record has been deleted since the search. */
async function read(kind: SampleKind, { id, name }: Pick<Sample, 'id' | 'name'>): Promise<Sample[]> {
  const area = areaOf(kind);
  try {
    const answer = await callArea(area, 'GET', `${PATHS[kind]}/${id}`);
    await answerOf(answer);
    const etag = answer.headers.get('etag') ?? '';
    const madeAs = kind === 'prompt' ? PROMPT_VERSION : 1;
    return [{ area, kind, id, name, etag, isChanged: versionIn(etag) > madeAs }];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

const found = async <Item>(search: string, kind: SampleKind) =>
  (await askArea<List<Item>>('platform', 'GET', withQuery(PATHS[kind], { search, per_page: 100 }))).items;

/** The samples of the project: records that have both the name and the mark of a sample. A renamed record is not a sample. */
export async function findSamples(): Promise<Sample[]> {
  const [agents, skills, content, prompts] = await Promise.all([
    found<Agent>(SAMPLE_WORDS, 'agent'),
    found<Skill>(SAMPLE_WORDS, 'skill'),
    found<ContentItem>('(sample)', 'content'),
    askArea<Prompt[]>('prompt', 'GET', withQuery('/v1/prompt', { tag: TAG, limit: 100 })),
  ]);
  const named = [
    ...agents.map(({ id, name }) => ({ kind: 'agent', id, name }) as const),
    ...skills.map(({ id, name }) => ({ kind: 'skill', id, name }) as const),
    ...content
      .filter(({ tags }) => tags.includes(TAG))
      .map(({ id, title }) => ({ kind: 'content', id, name: title }) as const),
    ...prompts.map(({ id, metadata }) => ({ kind: 'prompt', id, name: metadata.title }) as const),
  ];
  const samples = await Promise.all(named.filter(isSample).map(({ kind, ...one }) => read(kind, one)));
  return samples.flat();
}

/**
 * Deletes the samples of each service in one transaction. If a sample has changed since it was found, the service that stores this sample
 * deletes no sample. @throws ApiError if a request is refused
 */
export async function removeSamples(samples: readonly Sample[]): Promise<void> {
  // The agent is deleted before its skill, because deleting the skill would change the version of the agent.
  for (const area of ['prompt', 'platform'] as const) {
    const changes = samples
      .filter((sample) => sample.area === area)
      .map(({ kind, id, etag }) => ({ kind, action: 'delete', id, if_match: etag }));
    if (changes.length > 0)
      await askArea(area, 'POST', area === 'prompt' ? '/v1/changes' : '/api/v1/changes', { changes });
  }
}
