import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { callArea } from '../../api/areas.js';
import { saveFile } from '../../ui/save-file.js';
import { useAction } from '../../ui/use-action.js';

/** Downloads the skill as SKILL.md. */
export function ExportSkill({ path }: { path: string }) {
  const save = useAction(async () =>
    saveFile(await (await callArea('platform', 'GET', `${path}/skill.md`)).blob(), 'SKILL.md'),
  );
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.7} />}
      onClick={() => save.mutate()}
      loading={save.isPending}
    >
      Export SKILL.md
    </Button>
  );
}
