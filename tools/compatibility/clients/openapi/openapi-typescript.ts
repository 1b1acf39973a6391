import createClient from 'openapi-fetch';
import { requireThat, type Installation } from './installation.js';
import type { paths as Platform } from './generated/platform.js';
import type { paths as Prompts } from './generated/prompts.js';
import type { paths as Runtime } from './generated/runtime.js';

export async function calls({ base, prompts, runtime, key, model, agent, prompt }: Installation): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const platformApi = createClient<Platform>({ baseUrl: base, headers });
  const promptApi = createClient<Prompts>({ baseUrl: prompts, headers });
  const runtimeApi = createClient<Runtime>({ baseUrl: runtime, headers });

  const skill = { name: 'openapi-typescript', description: 'Milling', instructions: 'Mill slowly.' };
  const made = await platformApi.POST('/api/v1/skills', { body: skill });
  if (made.data === undefined) throw new Error(JSON.stringify(made.error));
  const params = { path: { skill_id: made.data.id } };
  const read = await platformApi.GET('/api/v1/skills/{skill_id}', { params });
  requireThat(read.data?.description === 'Milling', read);
  const gone = await platformApi.DELETE('/api/v1/skills/{skill_id}', { params });
  requireThat(gone.response.status === 204, gone.error);
  const missing = await platformApi.GET('/api/v1/skills/{skill_id}', { params });
  requireThat(missing.error?.error.code === 'not_found', missing);

  const found = await runtimeApi.GET('/api/v1/agents/{agent_name}', { params: { path: { agent_name: agent } } });
  requireThat(found.data?.description === 'Knows mills', found);

  const stored = await promptApi.GET('/v1/prompt/{uuid}', { params: { path: { uuid: prompt } } });
  requireThat(stored.data?.metadata.title === 'City guide', stored);
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const chat = await promptApi.POST('/v1/chat/completions', { body: { model, messages } });
  requireThat(JSON.stringify(chat.data).includes('You wrote: Hello'), chat);
}
