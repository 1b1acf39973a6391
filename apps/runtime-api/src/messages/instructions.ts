import type { RunnableAgent, RunnableSkill } from '@millwright/catalog';
import type { ModelMessage } from '@millwright/models';
import type { Turn } from './contexts.store.js';

/** What the model is told: the agent's instructions, then each active skill's with its parameters, then the conversation. */
export function modelMessages(
  agent: RunnableAgent,
  history: readonly Turn[],
  content: string,
  windowTokens: number,
): ModelMessage[] {
  const introduction = `You are ${agent.name}. ${agent.description}`.trim();
  const system = [introduction, agent.instructions, ...agent.skills.map(describeSkill)]
    .filter((text) => text !== '')
    .join('\n\n');
  return [
    { role: 'system', content: system },
    ...recentTurns(history, windowTokens, system, content),
    { role: 'user', content },
  ];
}

function describeSkill({ name, description, instructions, parameters }: RunnableSkill): string {
  const lines = Object.entries(parameters).map(([parameter, { type, enum: values, default: fallback }]) => {
    const among = values ? `, one of ${values.map((value) => JSON.stringify(value)).join(', ')}` : '';
    const otherwise = fallback === undefined ? '' : `, ${JSON.stringify(fallback)} unless the user says otherwise`;
    return `- ${parameter}: ${type}${among}${otherwise}`;
  });
  const known = lines.length > 0 ? `\nParameters:\n${lines.join('\n')}` : '';
  return `Skill "${name}": ${description}\n${instructions}${known}`;
}

/** A token is at least one character and on average about four: three keeps clear of the window. */
const CHARACTERS_PER_TOKEN = 3;

/** The newest turns that fit in half of the model's window beside the rest; the other half is the answer's. */
function recentTurns(history: readonly Turn[], windowTokens: number, ...rest: readonly string[]): readonly Turn[] {
  let room = (windowTokens / 2) * CHARACTERS_PER_TOKEN - rest.reduce((sum, text) => sum + text.length, 0);
  const first = history.findLastIndex((turn) => (room -= turn.content.length) < 0) + 1;
  return history.slice(first);
}
