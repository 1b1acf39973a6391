import { useNavigate } from 'react-router';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { useAction } from '../../ui/use-action.js';
import { FormColumn } from '../record/record-columns.js';
import { BlockForm, type BlockFields } from './block-form.js';
import { sendBlock } from './send-block.js';

const EMPTY: BlockFields = { prefix: '', content: '', title: '', description: '', tag: [], status: 'published' };

function NewBlockPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ block }: { block: BlockFields; saved: () => void }) => sendBlock('POST', '/v1/block', block),
    {
      refresh: QUERY_KEYS.blocks,
      done: ({ prefix }) => `Block created. Prompts include it as {{${prefix}}}.`,
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/blocks/${id}`);
      },
    },
  );
  return (
    <FormColumn>
      <BackLink to="/blocks">Blocks</BackLink>
      <PageHeader title="New block" text="Text shared by prompts." />
      <BlockForm
        block={EMPTY}
        isNew
        isSaving={create.isPending}
        onSave={(block, saved) => create.mutate({ block, saved })}
      />
    </FormColumn>
  );
}

export { NewBlockPage as Component };
