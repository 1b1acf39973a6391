import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { Model, ModelTestResult } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { showFailure, useAction, type OnFaults } from '../../ui/use-action.js';
import { FormColumn } from '../record/record-columns.js';
import { ModelForm } from './model-form.js';
import { EMPTY_MODEL, newModelOf, type ModelValues } from './model-values.js';

function NewModelPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ model }: { model: ModelValues; saved: () => void; onFaults: OnFaults }) =>
      askArea<Model>('platform', 'POST', '/api/v1/models', newModelOf(model)),
    {
      refresh: QUERY_KEYS.models,
      done: ({ name }) => `${name} added. Agents and prompts can use it now.`,
      onError: (error, { onFaults }, toast) => showFailure(error, toast, onFaults),
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/build/models/${encodeURIComponent(id)}`);
      },
    },
  );
  return (
    <FormColumn>
      <BackLink to="/build/models">Models</BackLink>
      <PageHeader title="Add model" text="A model of your provider, or of any server that speaks the OpenAI API." />
      <ModelForm
        model={EMPTY_MODEL}
        isNew
        isSaving={create.isPending}
        onSave={(model, form) => create.mutate({ model, ...form })}
        test={(model) => askArea<ModelTestResult>('platform', 'POST', '/api/v1/models/test', newModelOf(model))}
      />
    </FormColumn>
  );
}

export { NewModelPage as Component };
