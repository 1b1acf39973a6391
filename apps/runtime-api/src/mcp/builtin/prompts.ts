import type { RunnableSkill } from '@millwright/catalog';
import { ProtocolError, ProtocolErrorCode, type GetPromptResult, type Prompt } from '@modelcontextprotocol/server';

type Definition = RunnableSkill['parameters'][string];

/** Converts a skill to a prompt; the skill's parameters become the arguments. */
export function toPrompt({ name, description, parameters }: Omit<RunnableSkill, 'instructions'>): Prompt {
  const entries = Object.entries(parameters);
  return {
    name,
    description,
    arguments: entries.map(([parameter, definition]) => ({
      name: parameter,
      description: describe(definition),
      required: definition.default === undefined,
    })),
  };
}

function describe({ type, enum: values, default: fallback }: Definition): string {
  const among = values ? `, one of ${values.map((value) => JSON.stringify(value)).join(', ')}` : '';
  return `${type}${among}${fallback === undefined ? '' : `, ${JSON.stringify(fallback)} by default`}`;
}

/** Renders the skill's instructions with these arguments. @throws ProtocolError -32602 naming the argument */
export function renderPrompt(skill: RunnableSkill, args: Readonly<Record<string, string>>): GetPromptResult {
  const unknown = Object.keys(args).find((name) => !Object.hasOwn(skill.parameters, name));
  if (unknown !== undefined) throw invalid(unknown, 'is no argument of this prompt');
  const lines = Object.entries(skill.parameters).flatMap(([name, definition]) => {
    const value = valueOf(name, definition, Object.hasOwn(args, name) ? args[name] : undefined);
    return `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  });
  const text = [skill.instructions, ...(lines.length > 0 ? [`Parameters:\n${lines.join('\n')}`] : [])].join('\n\n');
  return { description: skill.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** Parses an argument, which the protocol sends as a string for every type. */
function valueOf(name: string, { type, enum: values, default: fallback }: Definition, text: string | undefined) {
  if (text === undefined) {
    if (fallback === undefined) throw invalid(name, 'is required');
    return fallback;
  }
  const value = converted(type, text);
  if (value === undefined) throw invalid(name, `must be of type ${type}`);
  if (values && !values.includes(value)) throw invalid(name, `must be ${describe({ type, enum: values })}`);
  return value;
}

function converted(type: Definition['type'], text: string): string | number | boolean | undefined {
  if (type === 'string') return text;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : undefined);
  const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : NaN;
  const fits = type === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number);
  return fits ? number : undefined;
}

function invalid(name: string, reason: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${name} ${reason}`);
}
