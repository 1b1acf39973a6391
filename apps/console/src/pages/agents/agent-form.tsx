import { Button, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AgentFields } from '../../api/platform-records.js';
import { NameAndStatus } from '../../ui/name-and-status.js';
import { RecordPicker } from '../../ui/record-picker.js';
import { Section } from '../../ui/section.js';
import { TextArea } from '../../ui/text-area.js';
import { toolLines, toolLinesFault } from '../../ui/tool-list.js';
import { useUnsaved } from '../../ui/use-unsaved.js';

const STATUSES = { active: 'Active', inactive: 'Inactive: answers nobody' };

export interface AgentFormProps {
  agent: AgentFields;
  isNew?: boolean;
  isSaving: boolean;
  /** `saved` has to be called before another page opens. */
  onSave: (agent: AgentFields, saved: () => void) => void;
}

export function AgentForm({ agent, isNew = false, isSaving, onSave }: AgentFormProps) {
  const form = useForm({
    initialValues: { ...agent, model: agent.model ?? '', mcp_tools: agent.mcp_tools.join('\n') },
    validate: {
      name: (name) => (name.trim() === '' ? 'Give it a name that people will call it by.' : null),
      mcp_tools: toolLinesFault,
    },
  });
  const saved = useUnsaved(form.isDirty());
  const submit = ({ model, mcp_tools, ...values }: typeof form.values) =>
    onSave(
      {
        ...values,
        name: values.name.trim(),
        model: model.trim() === '' ? null : model.trim(),
        mcp_tools: toolLines(mcp_tools),
      },
      saved,
    );
  const picked = (field: 'skill_ids' | 'mcp_server_ids' | 'plugin_ids') => ({
    value: form.values[field],
    onChange: (ids: string[]) => form.setFieldValue(field, ids),
  });
  return (
    <form onSubmit={form.onSubmit(submit)}>
      <Section title="What it is">
        <Stack gap="md">
          <NameAndStatus form={form} maxLength={100} statuses={isNew ? undefined : STATUSES} />
          <TextArea
            label="Description"
            description="What it is for. Its card shows it."
            minRows={2}
            maxRows={8}
            maxLength={2_000}
            {...form.getInputProps('description')}
          />
          <Switch
            label="Published: its card stands among the public ones"
            {...form.getInputProps('published', { type: 'checkbox' })}
          />
        </Stack>
      </Section>
      <Section title="How it works">
        <Stack gap="md">
          <TextInput
            label="Model"
            description="The name of one of this installation's models. Empty: its default."
            placeholder="default"
            maxLength={200}
            autoComplete="off"
            maw={420}
            {...form.getInputProps('model')}
          />
          <TextArea
            label="Instructions"
            description="What it is told before each conversation. Its skills add theirs."
            isCode
            minRows={6}
            maxRows={30}
            maxLength={100_000}
            {...form.getInputProps('instructions')}
          />
        </Stack>
      </Section>
      <Section title="What it may use">
        <Stack gap="md">
          <RecordPicker label="Skills" path="/api/v1/skills" none="There is no skill yet." {...picked('skill_ids')} />
          <RecordPicker
            label="MCP servers"
            description="It may call the tools that are on offer there."
            path="/api/v1/mcp/servers"
            none="No MCP server is registered yet."
            {...picked('mcp_server_ids')}
          />
          <TextArea
            label="Tools of these servers"
            description="Which it may call, one a line: * for all, server/* for all of one, server/tool for one. None: it calls none."
            minRows={1}
            maxRows={8}
            {...form.getInputProps('mcp_tools')}
          />
          <RecordPicker
            label="Plugins"
            path="/api/v1/plugins"
            none="No plugin is installed yet."
            {...picked('plugin_ids')}
          />
          <TagsInput
            label="Knowledge"
            description="Tags of content. What carries one of them is searched for each message. None: it reads nothing."
            placeholder={form.values.content_tags.length === 0 ? 'Enter adds a tag' : ''}
            maxTags={50}
            value={form.values.content_tags}
            onChange={(tags) => form.setFieldValue('content_tags', tags)}
          />
        </Stack>
      </Section>
      <Button type="submit" loading={isSaving} disabled={!isNew && !form.isDirty()} mb="lg">
        {isNew ? 'Create agent' : 'Save'}
      </Button>
    </form>
  );
}
