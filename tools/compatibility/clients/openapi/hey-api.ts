import { createClient as createPlatform } from './generated/platform/client/index.js';
import { createSkill, deleteSkill, getSkill } from './generated/platform/index.js';
import { createClient as createPrompts } from './generated/prompts/client/index.js';
import { createChatCompletion, getPrompt } from './generated/prompts/index.js';
import { createClient as createRuntime } from './generated/runtime/client/index.js';
import { getAgent } from './generated/runtime/index.js';
import { requireThat, type Installation } from './installation.js';

export async function calls({ base, prompts, runtime, key, model, agent, prompt }: Installation): Promise<void> {
  const platformApi = createPlatform({ baseUrl: base, auth: key });
  const promptApi = createPrompts({ baseUrl: prompts, auth: key });
  const runtimeApi = createRuntime({ baseUrl: runtime, auth: key });

  const body = { name: 'hey-api', description: 'Milling', instructions: 'Mill slowly.' };
  const made = await createSkill({ client: platformApi, body });
  if (made.data === undefined) throw new Error(JSON.stringify(made.error));
  const path = { skill_id: made.data.id };
  const read = await getSkill({ client: platformApi, path });
  requireThat(read.data?.description === 'Milling', read);
  const gone = await deleteSkill({ client: platformApi, path });
  requireThat(gone.response?.status === 204, gone.error);
  const missing = await getSkill({ client: platformApi, path });
  requireThat(missing.error?.error.code === 'not_found', missing);

  const found = await getAgent({ client: runtimeApi, path: { agent_name: agent } });
  requireThat(found.data?.description === 'Knows mills', found);

  const stored = await getPrompt({ client: promptApi, path: { uuid: prompt } });
  requireThat(stored.data?.metadata.title === 'City guide', stored);
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const chat = await createChatCompletion({ client: promptApi, body: { model, messages } });
  requireThat(JSON.stringify(chat.data).includes('You wrote: Hello'), chat);
}
