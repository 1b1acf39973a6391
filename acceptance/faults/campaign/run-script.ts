import { setTimeout as delay } from 'node:timers/promises';
import { createFakeModel, type FakeModel, type ModelBehaviour, type ModelRequest } from '@millwright/testing';

/**
 * Tools of the campaign: the beginning of the name by which the model calls the tool, and whether an admin marked the tool as repeatable.
 */
export const TOOLS = { pay: false, look: true, sign: false, ledger__book: false, ledger__stall: false } as const;
/** The tool that never answers, and fails at the time limit. */
const STALLING: ToolName = 'ledger__stall';
/** The tool whose calls wait for a person's approval. */
export const ASKED = 'sign' satisfies keyof typeof TOOLS;
/** The tool that is another agent, whose run follows a separate script. */
const HELPER = 'ask_helper';
export type ToolName = keyof typeof TOOLS;

/** The script of a run: the tools that the model calls concurrently in each round. */
export type Script = readonly (readonly (ToolName | typeof HELPER)[])[];

const ANSWERING = (Object.keys(TOOLS) as ToolName[]).filter((tool) => tool !== STALLING);
const LONGEST_MODEL_MS = 120;

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

export interface ScriptOptions {
  /** Whether tools and models hang: scripts call a tool that never answers, and every fourth request to the default model hangs. */
  hangs?: boolean;
}

export function randomScript({ hangs = false }: ScriptOptions): Script {
  const names: Script[number] = [...ANSWERING, HELPER, ...(hangs ? [STALLING] : [])];
  return Array.from({ length: pick([1, 1, 2, 3]) }, () => Array.from({ length: pick([1, 1, 2]) }, () => pick(names)));
}

/** Identifies a run of the campaign by its number. With `at`, identifies the helper's run that the call at this position of the script starts. */
export interface RunName {
  run: number;
  at?: string | undefined;
}

const nameOf = ({ run, at }: RunName): string => (at === undefined ? `Run ${run}` : `Run ${run} at ${at}`);

/** Returns the message that makes the model of the campaign follow a script. */
export const messageOf = (name: RunName, script: Script): string =>
  `${nameOf(name)}: ${script.map((round) => round.join(',')).join(' ')}`;

/** Reads the run's name and its script from a message. */
export function readMessage(text: string): RunName & { script: Script } {
  const [, run, at, rounds = ''] = /^Run (\d+)(?: at ([\d.]+))?: (.*)$/.exec(text) ?? [];
  return { run: Number(run), at, script: rounds.split(' ').map((round) => round.split(',') as Script[number]) };
}

/** Returns the text with which the model ends a run. */
export const answerOf = (name: RunName): string => `${nameOf(name)} is done.`;

/** Returns the script of the helper's run, which has one call. Successive runs call the tools in turn. */
const helperScript = (run: number): Script => [[ANSWERING[run % ANSWERING.length] ?? 'look']];

const helperMessage = (run: number, at: string): string => messageOf({ run, at }, helperScript(run));

/** Returns all messages that a run causes: its first message, and the messages to the helper. */
export const messagesOf = (run: number, script: Script): string[] => [
  messageOf({ run }, script),
  ...script.flatMap((round, n) =>
    round.flatMap((tool, index) => (tool === HELPER ? [helperMessage(run, `${n}.${index}`)] : [])),
  ),
];

/** The arguments of a call, which name its run and its position in the script. */
export interface CallArguments {
  run: number;
  place: string;
  /** Whether the person who approved the call changed its arguments. */
  changed?: boolean;
}

export interface ScriptedModel extends FakeModel {
  /** The number of the model's answers, including answers that no process received. */
  answered: () => number;
}

/** Models of the installation; the model `fallback` is called when the model `first` hangs. */
export const MODELS = { first: 'house-model', fallback: 'spare-model' } as const;
const HANGING_OF = 4;

/**
 * Starts a model that follows the scripts. The model derives its progress from the messages of a request. It uses the same call ids in each round.
 */
export async function startScriptedModel({ hangs = false }: ScriptOptions = {}): Promise<ScriptedModel> {
  let answers = 0;
  const model = await createFakeModel(async ({ body }: ModelRequest): Promise<ModelBehaviour> => {
    await delay(LONGEST_MODEL_MS * Math.random());
    answers += 1;
    if (hangs && body.model === MODELS.first && answers % HANGING_OF === 0) return { hang: true };
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
  return { ...model, answered: () => answers };
}

function toolNamed(body: ModelRequest['body'], name: string): string {
  const tools = body['tools'] as { function: { name: string } }[] | undefined;
  const found = tools?.find((tool) => tool.function.name.toLowerCase() === name);
  if (!found) throw new Error(`the agent was not given the tool ${name}`);
  return found.function.name;
}
