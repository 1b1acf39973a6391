import { useNavigate } from 'react-router';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { useAction } from '../../ui/use-action.js';
import { BlockForm, type BlockFields } from './block-form.js';
import { REFRESH } from './refresh.js';
import { sendBlock } from './send-block.js';

const EMPTY: BlockFields = { prefix: '', content: '', title: '', description: '', tag: [], status: 'published' };

function NewBlockPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ block }: { block: BlockFields; saved: () => void }) => sendBlock('POST', '/v1/block', block),
    {
      refresh: REFRESH,
      done: ({ prefix }) => `Prompts have it as {{${prefix}}} from now on.`,
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/blocks/${id}`);
      },
    },
  );
  return (
    <>
      <BackLink to="/blocks">Blocks</BackLink>
      <PageHeader title="New block" text="A text that prompts share." />
      <BlockForm
        block={EMPTY}
        isNew
        isSaving={create.isPending}
        onSave={(block, saved) => create.mutate({ block, saved })}
      />
    </>
  );
}

export { NewBlockPage as Component };
