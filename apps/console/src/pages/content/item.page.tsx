import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import { ApiError } from '../../api/client.js';
import type { ContentItem } from '../../api/platform-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { AuditLogLink } from '../../ui/audit-log-link.js';
import { useSave } from '../../ui/use-save.js';
import { Details } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { ItemForm, type ItemFields } from './item-form.js';
import { Passage } from './passage.js';
import { passageResource } from './passage-resource.js';

function ContentItemPage() {
  const { id = '' } = useParams();
  const path = `/api/v1/content/${encodeURIComponent(id)}`;
  const item = useQuery(areaRecord<ContentItem>('platform', path));
  const isNoItem = item.error instanceof ApiError && item.error.status === 404;
  // Links from search and citations may also lead to passages of files, which only the runtime API returns.
  const passage = useQuery({ ...passageResource(id), enabled: isNoItem });
  if (isNoItem && !passage.error)
    return (
      <RecordPage back={{ to: '/build/files', label: 'Files' }} title="Passage" query={passage}>
        {(found) => <Passage passage={found} />}
      </RecordPage>
    );
  return (
    <RecordPage back={{ to: '/build/content', label: 'Content' }} title="Content item" query={item}>
      {(found) => <Detail path={path} found={found} />}
    </RecordPage>
  );
}

function Detail({ path, found: { record: item, etag } }: { path: string; found: Versioned<ContentItem> }) {
  const save = useSave(
    (changes: ItemFields, readEtag) => askArea<ContentItem>('platform', 'PATCH', path, changes, matching(readEtag)),
    { refresh: QUERY_KEYS.content, done: 'Saved.' },
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
                { title: 'Get the item', path },
                { title: 'Update the tags', method: 'PATCH', path, body: { tags } },
              ]}
            />
            <AuditLogLink filters={{ resource: item.id }} />
          </>
        }
      />
      <RecordColumns
        aside={<Details record={item} facts={[['Length', `${body.length.toLocaleString('en')} characters`]]} />}
      >
        <ItemForm
          key={etag}
          item={{ title, body, tags, status }}
          isSaving={save.isPending}
          onSave={(values) => save.mutate({ values, etag })}
        />
        <DeleteSection
          noun="content item"
          name={title}
          consequence="Agents can no longer find it."
          work={() => askArea('platform', 'DELETE', path)}
          refresh={QUERY_KEYS.content}
          to="/build/content"
        />
      </RecordColumns>
    </>
  );
}

export { ContentItemPage as Component };
