import { Button } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { withQuery } from '../../api/api.js';
import { areaRecord, askArea, matching, type Versioned } from '../../api/areas.js';
import { titleOf, type Conversation, type MetadataFields } from '../../api/prompt-records.js';
import { QUERY_KEYS } from '../../api/query-keys.js';
import { CurlButton } from '../../ui/curl.js';
import { DeleteSection } from '../../ui/delete-section.js';
import { EmptyState } from '../../ui/empty-state.js';
import { countText } from '../../ui/figures.js';
import { PageHeader } from '../../ui/page-header.js';
import { RecordPage } from '../../ui/record-page.js';
import { useSave } from '../../ui/use-save.js';
import { Details, recordOf } from '../record/details.js';
import { RecordColumns } from '../record/record-columns.js';
import { AboutForm } from './about-form.js';
import { modelsOf } from './about.js';
import classes from './conversation.module.css';
import { MessageView } from './message-view.js';
import { useMessageRuns } from './use-message-runs.js';

function ConversationPage() {
  const { id = '' } = useParams();
  const path = `/v1/conversation/${encodeURIComponent(id)}`;
  const conversation = useQuery(areaRecord<Conversation>('prompt', path));
  return (
    <RecordPage back={{ to: '/conversations', label: 'Conversations' }} title="Conversation" query={conversation}>
      {(found) => <Detail path={path} found={found} reload={() => conversation.refetch()} />}
    </RecordPage>
  );
}

interface DetailProps {
  path: string;
  found: Versioned<Conversation>;
  reload: () => Promise<unknown>;
}

function Detail({ path, found: { record: conversation, etag }, reload }: DetailProps) {
  const { id, message, metadata } = conversation;
  const save = useSave(
    (changes: MetadataFields, readEtag) => askArea('prompt', 'PUT', path, { metadata: changes }, matching(readEtag)),
    { refresh: QUERY_KEYS.conversations, done: 'Saved.', reload },
  );
  const { title, description, tag, status } = metadata;
  const models = modelsOf(conversation);
  const runs = useMessageRuns(id);
  return (
    <>
      <PageHeader
        title={titleOf(conversation)}
        text={`${countText(message.length, 'message')}${models === '' ? '' : ` · Model: ${models}`}`}
        actions={
          <>
            <Button
              component={Link}
              to={withQuery('/runs', { conversation_id: id })}
              variant="subtle"
              color="gray"
              px="xs"
              leftSection={<IconActivity size={16} stroke={1.7} />}
            >
              Runs
            </Button>
            <CurlButton
              area="prompt"
              calls={[
                { title: 'Get the conversation', path },
                {
                  title: 'Continue it (replace PROMPT with the ID of a prompt)',
                  method: 'POST',
                  path: '/v1/prompt/PROMPT/openai',
                  body: { message: 'And then?', conversation: id },
                },
              ]}
            />
          </>
        }
      />
      <RecordColumns
        aside={
          <Details record={recordOf(conversation)} facts={[['Author', <bdi key="author">{metadata.author}</bdi>]]} />
        }
      >
        <div role="log" aria-label="Messages" className={classes.log}>
          {message.map((one, index) => (
            <MessageView key={one.id} message={one} place={index + 1} runId={runs.get(one.id)} />
          ))}
          {message.length === 0 && (
            <EmptyState title="No messages yet" text="Runs that name this conversation continue it." />
          )}
        </div>
        <AboutForm
          key={etag}
          about={{ title, description, tag, status }}
          isSaving={save.isPending}
          onSave={(values) => save.mutate({ values, etag })}
        />
        <DeleteSection
          noun="conversation"
          name={titleOf(conversation)}
          consequence="Also deletes its messages. The cost of its runs stays in the reports."
          work={() => askArea('prompt', 'DELETE', path)}
          refresh={QUERY_KEYS.conversations}
          to="/conversations"
        />
      </RecordColumns>
    </>
  );
}

export { ConversationPage as Component };
