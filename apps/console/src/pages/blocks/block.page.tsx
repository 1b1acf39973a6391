import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { areaRecord, askArea, type Versioned } from '../../api/areas.js';
import type { Block } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { StatusBadge } from '../../ui/status-badge.js';
import { useSave } from '../../ui/use-save.js';
import { Details, recordOf } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { BlockForm, type BlockFields } from './block-form.js';
import { sendBlock } from './send-block.js';

function BlockPage() {
  const { id = '' } = useParams();
  const path = `/v1/block/${encodeURIComponent(id)}`;
  const block = useQuery(areaRecord<Block>('prompt', path));
  return (
    <RecordPage back={{ to: '/blocks', label: 'Blocks' }} title="Block" query={block}>
      {(found) => <Detail path={path} found={found} reload={() => block.refetch()} />}
    </RecordPage>
  );
}

interface DetailProps {
  path: string;
  found: Versioned<Block>;
  reload: () => Promise<unknown>;
}

function Detail({ path, found: { record: block, etag }, reload }: DetailProps) {
  const save = useSave((changes: BlockFields, readEtag) => sendBlock('PUT', path, changes, readEtag), {
    refresh: QUERY_KEYS.blocks,
    done: 'Saved. Prompts use it from the next run.',
    reload,
  });
  const { prefix, content, metadata } = block;
  const { title, description, tag, status } = metadata;
  return (
    <>
      <PageHeader
        title={title || prefix}
        text={<Code style={{ overflowWrap: 'anywhere' }}>{`{{${prefix}}}`}</Code>}
        badges={<StatusBadge status={status} />}
        actions={
          <CurlButton
            area="prompt"
            calls={[
              { title: 'Get the block', path },
              { title: 'Update the content', method: 'PUT', path, body: { content } },
              {
                title: 'Create a copy',
                method: 'POST',
                path: '/v1/block',
                body: { prefix: `${prefix}_b`, content, metadata: { title: `${title} 2`, description, tag } },
              },
            ]}
          />
        }
      />
      <RecordColumns
        aside={<Details record={recordOf(block)} facts={[['Author', <bdi key="author">{metadata.author}</bdi>]]} />}
      >
        <BlockForm
          key={etag}
          block={{ prefix, content, title, description, tag, status }}
          isSaving={save.isPending}
          onSave={(values) => save.mutate({ values, etag })}
        />
        <DeleteSection
          noun="block"
          name={prefix}
          consequence="Prompts that use it will contain its name, unreplaced."
          work={() => askArea('prompt', 'DELETE', path)}
          refresh={QUERY_KEYS.blocks}
          to="/blocks"
        />
      </RecordColumns>
    </>
  );
}

export { BlockPage as Component };
