import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import { titleOf, type Prompt } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { useAction } from '../../ui/use-action.js';
import { bodyOf, EMPTY, type PromptValues } from './prompt-fields.js';
import { PromptForm } from './prompt-form.js';

function NewPromptPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ prompt }: { prompt: PromptValues; saved: () => void }) =>
      askArea<Prompt>('prompt', 'POST', '/v1/prompt', bodyOf(prompt)),
    {
      refresh: QUERY_KEYS.prompts,
      done: (prompt) => `${titleOf(prompt)} created.`,
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/prompts/${id}`);
      },
    },
  );
  return (
    <>
      <BackLink to="/prompts">Prompts</BackLink>
      <PageHeader title="New prompt" text="Versioned prompts you call by ID from code." />
      <PromptForm
        prompt={EMPTY}
        isNew
        isSaving={create.isPending}
        onSave={(prompt, saved) => create.mutate({ prompt, saved })}
      />
    </>
  );
}

export { NewPromptPage as Component };
