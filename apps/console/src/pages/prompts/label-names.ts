/** What most prompts have. `production` is protected from the start. */
export const USUAL_LABELS = ['production', 'staging'] as const;

/** Why something is no label's name; `null` when it is one. */
export function labelFault(name: string): string | null {
  if (name === '') return 'Enter a name.';
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
    ? null
    : 'A label has letters, digits, ".", "_" and "-", and begins with a letter or digit.';
}
