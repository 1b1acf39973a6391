import { createSkill, deleteSkill, getSkill } from './generated/platform.js';
import { createChatCompletion, getPrompt } from './generated/prompts.js';
import { getAgent } from './generated/runtime.js';
import { requireThat, type Installation } from './installation.js';

export async function calls({ key, model, agent, prompt }: Installation): Promise<void> {
  const init = { headers: { Authorization: `Bearer ${key}` } };

  const made = await createSkill({ name: 'orval', description: 'Milling', instructions: 'Mill slowly.' }, init);
  if (made.status !== 201) throw new Error(JSON.stringify(made));
  const { id } = made.data;
  const read = await getSkill(id, init);
  requireThat(read.status === 200 && read.data.description === 'Milling', read);
  const gone = await deleteSkill(id, init);
  requireThat(gone.status === 204, gone);
  const missing = await getSkill(id, init);
  requireThat(missing.status === 404 && missing.data.error.code === 'not_found', missing);

  const found = await getAgent(agent, init);
  requireThat(found.status === 200 && found.data.description === 'Knows mills', found);

  const stored = await getPrompt(prompt, init);
  requireThat(stored.status === 200 && stored.data.metadata.title === 'City guide', stored);
  const chat = await createChatCompletion({ model, messages: [{ role: 'user', content: 'Hello' }] }, init);
  requireThat(chat.status === 200 && JSON.stringify(chat.data).includes('You wrote: Hello'), chat);
}
