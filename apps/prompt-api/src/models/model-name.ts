import { invalidField } from '@millwright/errors';
import { LabelName, VersionNumber } from '../prompts/versions.contract.js';
import type { WantedVersion } from '../prompts/choose-version.js';

/** The model, agent or prompt that a client names in the field `model`. */
export type NamedModel =
  | { kind: 'model'; name: string | undefined }
  | { kind: 'agent'; slug: string }
  | { kind: 'prompt'; idOrSlug: string; wanted: WantedVersion };

const AGENT = 'agent/';
const PROMPT = 'prompt/';

export const agentModel = (slug: string): string => AGENT + slug;
export const promptModel = (id: string): string => PROMPT + id;

/**
 * Parses a text such as `"3"` as a version, and any other text as a label.
 * @throws AppError validation_error for `field` when the text is neither a version nor a label
 */
export function wantedVersion(version: string | null | undefined, field: string): WantedVersion {
  if (version === undefined || version === null) return {};
  if (/^\d+$/.test(version) && VersionNumber.safeParse(Number(version)).success) return { version: Number(version) };
  if (LabelName.safeParse(version).success) return { label: version };
  throw invalidField(field, 'does not exist');
}

/**
 * Reads a model name: `agent/<slug>`, `prompt/<id or slug>[@<label or version>]`, else the name of a configured model.
 *
 * @throws AppError validation_error for a version that cannot exist
 */
export function parseModelName(name: string | undefined): NamedModel {
  if (name?.startsWith(AGENT)) return { kind: 'agent', slug: name.slice(AGENT.length) };
  if (!name?.startsWith(PROMPT)) return { kind: 'model', name };
  const [idOrSlug = '', ...version] = name.slice(PROMPT.length).split('@');
  return {
    kind: 'prompt',
    idOrSlug,
    wanted: version.length === 0 ? {} : wantedVersion(version.join('@'), 'model'),
  };
}
