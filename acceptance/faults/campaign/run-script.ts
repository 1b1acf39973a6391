import { setTimeout as delay } from 'node:timers/promises';
import { createFakeModel, type FakeModel, type ModelBehaviour, type ModelRequest } from '@millwright/testing';

/** Tools of the campaign by the beginning of their names at the model, and whether an admin marked them as repeatable. */
export const TOOLS = { pay: false, look: true, ledger__book: false } as const;
export type ToolName = keyof typeof TOOLS;

/** What a run does: in each round the model calls these tools at once. */
export type Script = readonly (readonly ToolName[])[];

const NAMES = Object.keys(TOOLS) as ToolName[];
const LONGEST_MODEL_MS = 120;

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

export const randomScript = (): Script =>
  Array.from({ length: pick([1, 1, 2, 3]) }, () => Array.from({ length: pick([1, 1, 2]) }, () => pick(NAMES)));

/** The message that makes the model of the campaign follow a script. */
export const messageOf = (run: number, script: Script): string =>
  `Run ${run}: ${script.map((round) => round.join(',')).join(' ')}`;

/** The run of a message, and its script. */
export function readMessage(text: string): { run: number; script: Script } {
  const [, run, rounds = ''] = /^Run (\d+): (.*)$/.exec(text) ?? [];
  return { run: Number(run), script: rounds.split(' ').map((round) => round.split(',') as ToolName[]) };
}

/** The text with which the model ends a run. */
export const answerOf = (run: number): string => `Run ${run} is done.`;

/** The arguments of a call: they name its run, and its place in the script. */
export interface CallArguments {
  run: number;
  place: string;
}

/** A model that follows the scripts: what it has done so far is in the messages. It uses the same ids in each round. */
export async function startScriptedModel(): Promise<FakeModel> {
  return createFakeModel(async ({ body }: ModelRequest): Promise<ModelBehaviour> => {
    await delay(LONGEST_MODEL_MS * Math.random());
    const asked = body.messages.findLastIndex(({ role }) => role === 'user');
    const { run, script } = readMessage(String(body.messages[asked]?.content));
    const rounds = body.messages.slice(asked).filter(({ role }) => role === 'assistant').length;
    const round = script[rounds];
    if (!round) return { content: answerOf(run) };
    const calls = round.map((tool, index) => {
      const args: CallArguments = { run, place: `${rounds}.${index}` };
      const name = toolNamed(body, tool);
      return { id: `call_${index}`, type: 'function' as const, function: { name, arguments: JSON.stringify(args) } };
    });
    return { content: 'One moment.', toolCalls: calls };
  });
}

function toolNamed(body: ModelRequest['body'], name: string): string {
  const tools = body['tools'] as { function: { name: string } }[] | undefined;
  const found = tools?.find((tool) => tool.function.name.toLowerCase() === name);
  if (!found) throw new Error(`the agent was not given the tool ${name}`);
  return found.function.name;
}
