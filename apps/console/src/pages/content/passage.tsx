import type { FoundRecord } from '../../api/runtime-records.js';
import { Facts } from '../../ui/facts.js';
import { MessageText } from '../../ui/message-text.js';
import { PageHeader } from '../../ui/page-header.js';
import { Section } from '../../ui/section.js';
import { TagList } from '../../ui/tag-list.js';
import { Time } from '../../ui/time.js';
import { CopyValue } from '../record/details.js';

/** A passage of a file that is used as knowledge, or a content item. */
export function Passage({ passage: { title, content, tags, file, updated_at } }: { passage: FoundRecord }) {
  return (
    <>
      <PageHeader title={title} {...(file && { text: placeOf(file) })} />
      <Section title="Text">
        <MessageText text={content} />
      </Section>
      <Section title="Source">
        <Facts
          facts={[
            ...(file ? [['File ID', <CopyValue key="file" value={file.id} label="file ID" />] as const] : []),
            ['Tags', <TagList key="tags" tags={tags} />],
            [file ? 'Indexed' : 'Updated', <Time key="at" at={updated_at} />],
          ]}
        />
      </Section>
    </>
  );
}

/** Names the place of a passage: "Passage 3, page 7". */
export const placeOf = ({ passage, page }: NonNullable<FoundRecord['file']>): string =>
  page === null ? `Passage ${passage}` : `Passage ${passage}, page ${page}`;
