import { Anchor } from '@mantine/core';
import type { FoundRecord } from '../../api/runtime-records.js';
import { Facts } from '../../ui/facts.js';
import { MessageText } from '../../ui/message-text.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { TagList } from '../../ui/tag-list.js';
import { Time } from '../../ui/time.js';
import { CopyValue } from '../record/details.js';

/** A passage of a file or a knowledge source, or a content item. */
export function Passage({ passage }: { passage: FoundRecord }) {
  const { title, content, tags, file, knowledge_source: source, updated_at } = passage;
  const place = file ?? source;
  return (
    <>
      <PageHeader title={title} {...(place && { text: placeOf(place) })} />
      <Section title="Text">
        <MessageText text={content} />
      </Section>
      <Section title="Source">
        <Facts
          facts={[
            ...(file ? [['File ID', <CopyValue key="file" value={file.id} label="file ID" />] as const] : []),
            ...(source ? [['URL', <SourceLink key="url" url={source.url} />] as const] : []),
            ['Tags', <TagList key="tags" tags={tags} />],
            [place ? 'Indexed' : 'Updated', <Time key="at" at={updated_at} />],
          ]}
        />
      </Section>
    </>
  );
}

/** Names the place of a passage: "Passage 3, page 7". */
export const placeOf = ({ passage, page }: Pick<NonNullable<FoundRecord['file']>, 'passage' | 'page'>): string =>
  page === null ? `Passage ${passage}` : `Passage ${passage}, page ${page}`;

/** Opens the page or document that a passage is from. The text at the address may have changed since the passage was read. */
export const SourceLink = ({ url }: { url: string }) => (
  <Anchor href={url} target="_blank" rel="noopener noreferrer nofollow" size="sm" style={{ overflowWrap: 'anywhere' }}>
    {url}
  </Anchor>
);
