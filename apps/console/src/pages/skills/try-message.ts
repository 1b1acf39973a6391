import type { SkillParameter } from '../../api/platform-records.js';
import { valueOf } from './parameter-rows.js';

export type Values = Readonly<Record<string, string>>;

/** What each parameter begins with: its default. */
export function presetsOf(parameters: Readonly<Record<string, SkillParameter>>): Values {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { default: preset }]) => [name, preset === undefined ? '' : String(preset)]),
  );
}

/** What is wrong with a value; `null` when nothing is. An empty one is not said. */
export function valueFault({ type }: SkillParameter, text: string): string | null {
  if (text === '' || valueOf(type, text) !== undefined) return null;
  return type === 'boolean' ? 'This has to be true or false.' : 'This has to be a number.';
}

/** A message that says its parameters: agents are told of a skill's parameters, and take their values from what a user says. */
export function messageWith(text: string, values: Values): string {
  const said = Object.entries(values).filter(([, value]) => value !== '');
  return [text.trim(), said.map(([name, value]) => `${name}: ${value}`).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
}
