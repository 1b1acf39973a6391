import type { ParameterValues } from '../../ui/parameter-values.js';

/** The version, model and parameters that one column of a workbench runs. */
export interface Candidate {
  /** A saved version; null for the draft in the editor. */
  version: number | null;
  /** Name of the model; empty for the version's model or the default model. */
  model: string;
  /** Parameters that replace the version's parameters; null keeps the version's parameters. */
  parameters: ParameterValues | null;
}

export const DRAFT: Candidate = { version: null, model: '', parameters: null };
