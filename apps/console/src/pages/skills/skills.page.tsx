import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Skill } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import type { Column } from '../../ui/data-table.js';
import { NamedCell } from '../../ui/named-cell.js';
import { RecordList } from '../../ui/record-list.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { Time } from '../../ui/time.js';
import { ImportSkill } from './import-skill.js';

const COLUMNS: Column<Skill>[] = [
  { title: 'Skill', sort: 'name', render: ({ name, description }) => <NamedCell name={name} text={description} /> },
  { title: 'Status', render: ({ status }) => <StatusBadge status={status} /> },
  {
    title: 'Parameters',
    align: 'right',
    render: ({ parameters }) => Object.keys(parameters).length,
  },
  { title: 'Updated', sort: 'updated_at', render: ({ updated_at }) => <Time at={updated_at} /> },
];

const newSkill = (
  <Button component={Link} to="/build/skills/new" leftSection={<IconPlus size={16} />}>
    New skill
  </Button>
);

function SkillsPage() {
  return (
    <RecordList
      title="Skills"
      text="Reusable instructions for your agents."
      noun="skill"
      path="/api/v1/skills"
      columns={COLUMNS}
      to="/build/skills"
      actions={
        <>
          <ImportSkill />
          {newSkill}
        </>
      }
      bulk={{
        refresh: QUERY_KEYS.skills,
        nameOf: ({ name }) => name,
        consequence: 'Agents lose them.',
      }}
      empty={{
        title: 'No skills yet',
        text: 'Write instructions that agents can share, or import a SKILL.md file.',
        action: newSkill,
      }}
    />
  );
}

export { SkillsPage as Component };
