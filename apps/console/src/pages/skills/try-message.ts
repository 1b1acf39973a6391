import type { SkillParameter } from '../../api/platform-records.js';
import { valueOf } from './parameter-rows.js';

export type Values = Readonly<Record<string, string>>;

/** Initial values: the parameters' defaults. */
export function presetsOf(parameters: Readonly<Record<string, SkillParameter>>): Values {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { default: preset }]) => [name, preset === undefined ? '' : String(preset)]),
  );
}

/** Returns the fault of a value, or null. Empty values are valid, because the message leaves them out. */
export function valueFault({ type }: SkillParameter, text: string): string | null {
  if (text === '' || valueOf(type, text) !== undefined) return null;
  return type === 'boolean' ? 'This has to be true or false.' : 'This has to be a number.';
}

/**
 * Adds the values of a skill's parameters to a message. The instructions of the skill only list the parameters; agents read the values
 * in the user's message.
 */
export function messageWith(text: string, values: Values): string {
  const given = Object.entries(values).filter(([, value]) => value !== '');
  return [text.trim(), given.map(([name, value]) => `${name}: ${value}`).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}
