import { useNavigate } from 'react-router';
import { askArea } from '../../api/areas.js';
import type { ContentItem } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { BackLink } from '../../ui/back-link.js';
import { PageHeader } from '../../ui/page-header.js';
import { useAction } from '../../ui/use-action.js';
import { FormColumn } from '../record/record-columns.js';
import { ItemForm, type ItemFields } from './item-form.js';

const EMPTY: ItemFields = { title: '', body: '', tags: [], status: 'active' };

function NewItemPage() {
  const navigate = useNavigate();
  const create = useAction(
    ({ item: { title, body, tags } }: { item: ItemFields; saved: () => void }) =>
      askArea<ContentItem>('platform', 'POST', '/api/v1/content', { title, body, tags }),
    {
      refresh: QUERY_KEYS.content,
      done: ({ title }) => `${title} created.`,
      onDone: ({ id }, { saved }) => {
        saved();
        void navigate(`/build/content/${id}`);
      },
    },
  );
  return (
    <FormColumn>
      <BackLink to="/build/content">Content</BackLink>
      <PageHeader title="New content item" text="Text that agents with one of its tags can search." />
      <ItemForm
        item={EMPTY}
        isNew
        isSaving={create.isPending}
        onSave={(item, saved) => create.mutate({ item, saved })}
      />
    </FormColumn>
  );
}

export { NewItemPage as Component };
