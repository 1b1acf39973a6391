import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Skill, SkillFields } from '../../api/platform-records.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { useAction } from '../../ui/use-action.js';
import { FormColumn } from '../record/record-columns.js';
import { SkillForm } from './skill-form.js';

const EMPTY: SkillFields = { name: '', description: '', instructions: '', parameters: {}, status: 'active' };

function NewSkillPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ skill: { name, description, instructions, parameters } }: { skill: SkillFields; saved: () => void }) =>
      askArea<Skill>('platform', 'POST', '/api/v1/skills', { name, description, instructions, parameters }),
    {
      refresh: [['platform', 'api', 'v1', 'skills']],
      done: ({ name }) => `${name} created.`,
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/build/skills/${id}`);
      },
    },
  );
  return (
    <FormColumn>
      <BackLink to="/build/skills">Skills</BackLink>
      <PageHeader title="New skill" text="Reusable instructions for your agents." />
      <SkillForm
        skill={EMPTY}
        isNew
        isSaving={create.isPending}
        onSave={(skill, saved) => create.mutate({ skill, saved })}
      />
    </FormColumn>
  );
}

export { NewSkillPage as Component };
