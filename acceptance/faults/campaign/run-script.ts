import { setTimeout as delay } from 'node:timers/promises';
import { createFakeModel, type FakeModel, type ModelBehaviour, type ModelRequest } from '@millwright/testing';

/** Tools of the campaign by the beginning of their names at the model, and whether an admin marked them as repeatable. */
export const TOOLS = { pay: false, look: true, ledger__book: false } as const;
/** The tool that is another agent, whose run follows a script of its own. */
const HELPER = 'ask_helper';
export type ToolName = keyof typeof TOOLS;

/** What a run does: in each round the model calls these tools at once. */
export type Script = readonly (readonly (ToolName | typeof HELPER)[])[];

const NAMES = [...(Object.keys(TOOLS) as ToolName[]), HELPER] as const;
const LONGEST_MODEL_MS = 120;

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

export const randomScript = (): Script =>
  Array.from({ length: pick([1, 1, 2, 3]) }, () => Array.from({ length: pick([1, 1, 2]) }, () => pick(NAMES)));

/** A run of the campaign, or at a place of its script the run of the helper that it calls there. */
export interface RunName {
  run: number;
  at?: string | undefined;
}

const nameOf = ({ run, at }: RunName): string => (at === undefined ? `Run ${run}` : `Run ${run} at ${at}`);

/** The message that makes the model of the campaign follow a script. */
export const messageOf = (name: RunName, script: Script): string =>
  `${nameOf(name)}: ${script.map((round) => round.join(',')).join(' ')}`;

/** The run of a message, and its script. */
export function readMessage(text: string): RunName & { script: Script } {
  const [, run, at, rounds = ''] = /^Run (\d+)(?: at ([\d.]+))?: (.*)$/.exec(text) ?? [];
  return { run: Number(run), at, script: rounds.split(' ').map((round) => round.split(',') as Script[number]) };
}

/** The text with which the model ends a run. */
export const answerOf = (name: RunName): string => `${nameOf(name)} is done.`;

/** What the helper does: one call, of another tool for each run in turn. */
const helperScript = (run: number): Script => [[(Object.keys(TOOLS) as ToolName[])[run % 3] ?? 'look']];

const helperMessage = (run: number, at: string): string => messageOf({ run, at }, helperScript(run));

/** The messages that a run leads to: its own, and those to the helper. */
export const messagesOf = (run: number, script: Script): string[] => [
  messageOf({ run }, script),
  ...script.flatMap((round, n) =>
    round.flatMap((tool, index) => (tool === HELPER ? [helperMessage(run, `${n}.${index}`)] : [])),
  ),
];

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
    const { run, at, script } = readMessage(String(body.messages[asked]?.content));
    const rounds = body.messages.slice(asked).filter(({ role }) => role === 'assistant').length;
    const round = script[rounds];
    if (!round) return { content: answerOf({ run, at }) };
    const calls = round.map((tool, index) => {
      const place = `${rounds}.${index}`;
      const call: CallArguments = { run, place: at === undefined ? place : `${at}/${place}` };
      const args = tool === HELPER ? { message: helperMessage(run, place) } : call;
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
