import { Button, FileButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Skill } from '../../api/platform-records.js';
import { useAction } from '../../ui/use-action.js';

/** Creates a skill from a SKILL.md. */
export function ImportSkill() {
  const navigate = useNavigate();
  const forget = useRef<() => void>(null);
  const read = useAction(
    async (file: File) =>
      askArea<Skill>('platform', 'POST', '/api/v1/skills/import', await file.text(), {
        headers: { 'content-type': 'text/markdown' },
      }),
    {
      refresh: [['platform', 'api', 'v1', 'skills']],
      done: ({ name }) => `${name} imported.`,
      onDone: ({ id }) => void navigate(`/build/skills/${id}`),
    },
  );
  const choose = (file: File | null) => {
    // Resets the input, so that the same file can be chosen again after a correction.
    forget.current?.();
    if (file) read.mutate(file);
  };
  return (
    <FileButton
      onChange={choose}
      accept=".md,text/markdown"
      resetRef={forget}
      inputProps={{ 'aria-label': 'SKILL.md' }}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          leftSection={<IconUpload size={16} stroke={1.7} />}
          loading={read.isPending}
        >
          Import SKILL.md
        </Button>
      )}
    </FileButton>
  );
}
