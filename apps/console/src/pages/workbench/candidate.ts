import type { ParameterValues } from '../../ui/parameter-values.js';

/** What one column of a workbench runs. */
export interface Candidate {
  /** A saved version; null for the draft in the editor. */
  version: number | null;
  /** Empty for the version's own or the default model. */
  model: string;
  /** In place of the version's own; null to keep those. */
  parameters: ParameterValues | null;
}

export const DRAFT: Candidate = { version: null, model: '', parameters: null };
