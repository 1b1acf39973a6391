import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { Skill, SkillFields } from '../../api/platform-records.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { useSave } from '../../ui/use-save.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { Details } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { Versions } from '../versions/versions.js';
import { ExportSkill } from './export-skill.js';
import { SkillForm } from './skill-form.js';
import { TrySkill } from './try-skill.js';

const REFRESH = [
  ['platform', 'api', 'v1', 'skills'],
  ['platform', 'api', 'v1', 'agents'],
];

function SkillPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/skills/${encodeURIComponent(id)}`;
  const skill = useQuery(areaRecord<Skill>('platform', path));
  return (
    <RecordPage back={{ to: '/build/skills', label: 'Skills' }} title="Skill" query={skill}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

function Detail({ path, found: { record: skill, etag } }: { path: string; found: Versioned<Skill> }) {
  const { values, set } = useUrlState(['tab']);
  const save = useSave(
    (changes: SkillFields, readEtag) => askArea<Skill>('platform', 'PATCH', path, changes, matching(readEtag)),
    { refresh: REFRESH, done: 'Saved. Applies from the next message.' },
  );
  const { name, description, instructions, parameters, status } = skill;
  return (
    <>
      <PageHeader
        title={name}
        text={skill.description}
        badges={<StatusBadge status={status} />}
        actions={
          <>
            <CurlButton
              area="platform"
              calls={[
                { title: 'Get the skill', path },
                {
                  title: 'Create a copy',
                  method: 'POST',
                  path: '/api/v1/skills',
                  body: { name: `${name} 2`, description, instructions, parameters },
                },
                { title: 'Deactivate the skill', method: 'PATCH', path, body: { status: 'inactive' } },
              ]}
            />
            <AuditLogLink filters={{ resource: skill.id }} />
            <ExportSkill path={path} />
          </>
        }
      />
      <Tabs
        value={values.tab || 'edit'}
        onChange={(tab) => set({ tab: tab === 'edit' ? null : tab })}
        keepMounted={false}
      >
        <Tabs.List mb="lg">
          <Tabs.Tab value="edit">Edit</Tabs.Tab>
          <Tabs.Tab value="try">Try it</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="edit" keepMounted>
          <RecordColumns aside={<Details record={skill} />}>
            <SkillForm
              key={etag}
              skill={{ name, description, instructions, parameters, status }}
              isSaving={save.isPending}
              onSave={(values) => save.mutate({ values, etag })}
            />
            <DeleteSection
              noun="skill"
              name={name}
              consequence="Agents can no longer use this skill, and its versions are deleted."
              work={() => askArea('platform', 'DELETE', path)}
              refresh={REFRESH}
              to="/build/skills"
            />
          </RecordColumns>
        </Tabs.Panel>
        <Tabs.Panel value="try">
          <TrySkill skill={skill} />
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions<SkillFields>
            path={path}
            current={{ name, description, instructions, parameters, status }}
            etag={etag}
            refresh={REFRESH}
          />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

export { SkillPage as Component };
