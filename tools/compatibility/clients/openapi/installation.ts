/** The facts about an installation that the programs of this folder need. */
export type Installation = Record<'base' | 'prompts' | 'runtime' | 'key' | 'model' | 'agent' | 'prompt', string>;

export function requireThat(holds: boolean, answer: unknown): void {
  if (!holds) throw new Error(`unexpected answer: ${JSON.stringify(answer)}`);
}
