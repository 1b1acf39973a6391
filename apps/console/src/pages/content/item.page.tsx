import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import type { ContentItem } from '../../api/platform-records.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { TrailLink } from '../../ui/trail-link.js';
import { useSave } from '../../ui/use-save.js';
import { ItemForm, type ItemFields } from './item-form.js';
import { REFRESH } from './refresh.js';

function ContentItemPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/content/${encodeURIComponent(id)}`;
  const item = useQuery(areaRecord<ContentItem>('platform', path));
  return (
    <RecordPage back={{ to: '/build/content', label: 'Content' }} title="Content item" query={item}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

function Detail({ path, found: { record: item, etag } }: { path: string; found: Versioned<ContentItem> }) {
  const save = useSave(
    (changes: ItemFields, seen) => askArea<ContentItem>('platform', 'PATCH', path, changes, matching(seen)),
    { refresh: REFRESH, done: 'Saved. It is found as it is now.' },
  );
  const { title, body, tags, status } = item;
  return (
    <>
      <PageHeader
        title={title}
        badges={<StatusBadge status={status} />}
        actions={
          <>
            <CurlButton
              area="platform"
              calls={[
                { title: 'Read it', path },
                { title: 'Change its tags', method: 'PATCH', path, body: { tags } },
              ]}
            />
            <TrailLink filters={{ resource: item.id }} />
          </>
        }
      />
      <ItemForm
        key={etag}
        item={{ title, body, tags, status }}
        isSaving={save.isPending}
        onSave={(values) => save.mutate({ values, etag })}
      />
      <DeleteSection
        noun="content item"
        name={title}
        consequence="No agent finds it any more."
        work={() => askArea('platform', 'DELETE', path)}
        refresh={REFRESH}
        to="/build/content"
      />
    </>
  );
}

export { ContentItemPage as Component };
