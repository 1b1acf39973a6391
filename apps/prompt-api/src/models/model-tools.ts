import { invalidField } from '@millwright/errors';
import { requireAllowed, type Guards } from '@millwright/guards';
import type { ModelTool, ToolChoice } from '@millwright/models';
import type { ToolFunction } from './request-fields.js';

/**
 * Converts the client's tools to the form for the model. The guards redact the texts of the tools.
 *
 * @throws AppError validation_error for a repeated name, and for a choice without its tool; guard_blocked
 */
export async function modelTools(
  functions: readonly ToolFunction[],
  choice: ToolChoice | undefined,
  guards: Guards,
): Promise<ModelTool[]> {
  const names = functions.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidField('tools', `names ${twice} twice`);
  if (typeof choice === 'object' && !names.includes(choice.name))
    throw invalidField('tool_choice', `names ${choice.name}, which is none of the tools`);
  if (choice === 'required' && names.length === 0) throw invalidField('tool_choice', 'needs tools');
  const tools = functions.map(({ name, description, parameters, strict }): ModelTool => ({
    name,
    description: description ?? '',
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' && { strict }),
  }));
  return requireAllowed(await guards.value('input', tools));
}
