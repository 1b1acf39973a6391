import type { Project } from '@millwright/auth';
import { AppError, invalidField } from '@millwright/errors';
import type { PromptStore, StoredPrompt } from './prompts.store.js';
import type { VersionStore } from './versions.store.js';

/** The version of a prompt that the request names in its body or query. */
export interface WantedVersion {
  version?: number | undefined;
  label?: string | undefined;
}

/** Finds the version for a run or render: by number, by label, or by default the current version. */
export function createVersionChoice(prompts: PromptStore, versions: VersionStore) {
  return {
    /** @throws AppError not_found for an unknown prompt; validation_error for an unknown version or label, and for more than one version or label. */
    async choose(project: Project, id: string, places: readonly WantedVersion[]): Promise<StoredPrompt> {
      const named = places.flatMap(({ version, label }) => [
        ...(version === undefined ? [] : [{ field: 'version', find: () => versions.find(project, id, version) }]),
        ...(label === undefined ? [] : [{ field: 'label', find: () => versions.findLabelled(project, id, label) }]),
      ]);
      const [wanted, another] = named;
      if (another) throw invalidField(another.field, 'can be given once, and not together with version or label');
      const prompt = await (wanted?.find() ?? prompts.find(project, id));
      if (prompt) return prompt;
      if (wanted && (await prompts.find(project, id))) throw invalidField(wanted.field, 'does not exist');
      throw new AppError('not_found');
    },
  };
}
export type VersionChoice = ReturnType<typeof createVersionChoice>;
