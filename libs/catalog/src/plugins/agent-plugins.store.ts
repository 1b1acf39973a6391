import type { Project } from '@millwright/auth';
import type { StoredToolRule } from '@millwright/auth/tool-rules';
import { openPluginSecrets, withConfigValues, type PluginConfig, type PluginType } from './plugin-config.js';
import type { SecretBox } from '@millwright/secrets';

/** A plugin as a run of an agent uses it. Its secrets are still sealed. */
export interface RunnablePlugin extends StoredToolRule {
  /** UUID of the plugin. */
  id: string;
  project: Project;
  version: number;
  /** Whether a call with an unknown outcome may be repeated, because an admin marked this version of the plugin as repeatable. */
  is_repeatable: boolean;
  name: string;
  description: string;
  type: PluginType;
  config: PluginConfig;
  secrets: string | null;
}

/** SQL of the active plugins of an agent of the project `$2`, in their order. */
export const selectPlugins = (links: string) => `
  SELECT p.id, p.project, p.version,
         p.repeatable_version IS NOT DISTINCT FROM p.version AS is_repeatable,
         p.rule, p.rule_version IS NOT DISTINCT FROM p.version AS is_rule_current,
         p.other_decider OR coalesce(t.other_decider, false) AS other_decider, t.unmarked_tools, p.name, p.description, p.type, p.config, p.secrets
    FROM ${links} JOIN plugins p ON p.id = l.plugin_id
    LEFT JOIN tool_policies t ON t.project = p.project
   WHERE p.project = $2 AND p.status = 'active' ORDER BY l.position, p.id`;

/** Returns the config with all its secrets in clear text. @throws SecretUnreadable when they cannot be decrypted */
export function openPluginConfig(
  secretBox: SecretBox,
  { id, config, secrets }: Pick<RunnablePlugin, 'id' | 'config' | 'secrets'>,
): PluginConfig {
  return withConfigValues(config, openPluginSecrets(secretBox, id, secrets));
}
