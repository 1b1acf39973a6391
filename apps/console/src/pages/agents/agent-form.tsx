import { NativeSelect, Stack, Switch, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { lazy, type ReactNode } from 'react';
import type { AgentFields } from '../../api/platform-records.js';
import { faultsOfForm } from '../../ui/form-faults.js';
import { ModelSelect } from '../../ui/model-select.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { ParameterInputs } from '../../ui/parameter-inputs.js';
import { parameterFaults } from '../../ui/parameter-values.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { toolLinesFault } from '../../ui/tool-list.js';
import type { OnFaults } from '../../ui/use-action.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import { CreateActions, SaveActions } from '../record/form-actions.js';
import { EditorColumns } from '../workbench/editor-columns.js';
import { fieldsIn, valuesOf, type AgentValues, type SavedAgent } from './agent-values.js';
import { RecordChoice } from './record-choice.js';
import { ToolChoice } from './tool-choice.js';

const Workbench = lazy(async () => ({ default: (await import('./workbench.js')).AgentWorkbench }));

const STATUSES = { active: 'Active', inactive: 'Inactive (does not answer)' };

const UNKNOWN_OUTCOMES = [
  { value: 'ask', label: 'Wait for a person' },
  { value: 'tell', label: 'Inform the model' },
  { value: 'fail', label: 'End the run' },
];

export interface AgentFormProps {
  agent: AgentFields;
  isNew?: boolean;
  /** The saved agent that is edited. */
  saved?: SavedAgent & { id: string };
  isSaving: boolean;
  /** Saves the agent. The function must call `saved` before it opens another page, and `onFaults` with the faults of a refused request. */
  onSave: (agent: AgentFields, form: { saved: () => void; onFaults: OnFaults }) => void;
  /** Content below the form. On narrow screens, the content is below the workbench. */
  below?: ReactNode;
  aside?: ReactNode;
}

export function AgentForm({ agent, isNew = false, saved: edited, isSaving, onSave, below, aside }: AgentFormProps) {
  const form = useForm({
    initialValues: valuesOf(agent),
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name.' : null),
      model_parameters: (values) =>
        Object.keys(parameterFaults(values)).length > 0 ? 'Correct the parameters.' : null,
      mcp_tools: toolLinesFault,
      ask_tools: toolLinesFault,
    },
  });
  const saved = useUnsaved(form.isDirty());
  const submit = (values: AgentValues) => onSave(fieldsIn(values), { saved, onFaults: faultsOfForm(form) });
  const { mcp_tools, ask_tools, model_parameters } = form.values;
  const isFaulty =
    toolLinesFault(mcp_tools) !== null ||
    toolLinesFault(ask_tools) !== null ||
    Object.keys(parameterFaults(model_parameters)).length > 0;
  const picked = (field: 'skill_ids' | 'mcp_server_ids' | 'plugin_ids' | 'agent_ids') => ({
    value: form.values[field],
    onChange: (ids: string[]) => form.setFieldValue(field, ids),
    error: form.errors[field],
  });
  const workbench = (
    <Workbench
      draft={fieldsIn(form.values)}
      fault={isFaulty ? 'Correct the tools or the parameters to run the draft.' : null}
      saved={edited}
    />
  );
  return (
    <EditorColumns workbench={workbench} aside={aside} below={below}>
      <form onSubmit={form.onSubmit(submit)}>
        <Section title="Details">
          <Stack gap="md">
            <NameAndStatus form={form} maxLength={100} statuses={isNew ? undefined : STATUSES} />
            <TextArea
              label="Description"
              description="Shown on the agent's card."
              minRows={2}
              maxRows={8}
              maxLength={2_000}
              {...form.getInputProps('description')}
            />
            <Switch
              label="List publicly"
              description="Anyone can find this agent's card."
              {...form.getInputProps('published', { type: 'checkbox' })}
            />
          </Stack>
        </Section>
        <Section title="Model and instructions">
          <Stack gap="md">
            <ModelSelect
              value={form.values.model}
              onChange={(model) => form.setFieldValue('model', model)}
              error={form.errors['model']}
            />
            <TextArea
              label="Instructions"
              description="System prompt. Skills add their own instructions."
              isCode
              minRows={6}
              maxRows={30}
              maxLength={100_000}
              {...form.getInputProps('instructions')}
            />
            <ParameterInputs
              values={form.values.model_parameters}
              onChange={(values) => form.setFieldValue('model_parameters', values)}
              error={form.errors['model_parameters']}
            />
          </Stack>
        </Section>
        <Section title="Tools and knowledge">
          <Stack gap="md">
            <RecordChoice
              label="Skills"
              path="/api/v1/skills"
              create={{ to: '/build/skills/new', label: 'Create a skill' }}
              {...picked('skill_ids')}
            />
            <RecordChoice
              label="MCP servers"
              description="The agent can call tools from these servers."
              path="/api/v1/mcp/servers"
              create={{ to: '/build/mcp/new', label: 'Add a server' }}
              {...picked('mcp_server_ids')}
            />
            <ToolChoice
              serverIds={form.values.mcp_server_ids}
              allowed={{
                text: form.values.mcp_tools,
                error: form.errors['mcp_tools'],
                onChange: (text) => form.setFieldValue('mcp_tools', text),
              }}
              asked={{
                text: form.values.ask_tools,
                error: form.errors['ask_tools'],
                onChange: (text) => form.setFieldValue('ask_tools', text),
              }}
            />
            <NativeSelect
              label="Unknown outcomes"
              description="When the answer of a call is lost, the tool may have done its work."
              data={UNKNOWN_OUTCOMES}
              {...form.getInputProps('on_unknown')}
            />
            <RecordChoice
              label="Plugins"
              path="/api/v1/plugins"
              create={{ to: '/build/plugins/new', label: 'Install a plugin' }}
              {...picked('plugin_ids')}
            />
            <RecordChoice
              label="Other agents"
              description="The agent can send messages to these agents. Those that call it are left out."
              path="/api/v1/agents"
              {...(edited && { query: { callable_by: edited.id } })}
              create={{ to: '/build/agents/new', label: 'Create an agent' }}
              {...picked('agent_ids')}
            />
            <TagsInput
              label="Content tags"
              description="Content with any of these tags is searched for each message."
              placeholder={form.values.content_tags.length === 0 ? 'Type a tag, press Enter' : ''}
              maxTags={50}
              value={form.values.content_tags}
              onChange={(tags) => form.setFieldValue('content_tags', tags)}
            />
          </Stack>
        </Section>
        {isNew ? (
          <CreateActions isSaving={isSaving} cancelTo="/build/agents">
            Create agent
          </CreateActions>
        ) : (
          <SaveActions isDirty={form.isDirty()} isSaving={isSaving} onDiscard={form.reset} />
        )}
      </form>
    </EditorColumns>
  );
}
