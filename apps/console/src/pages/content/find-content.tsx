import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { List } from '../../api/admin-records.js';
import type { RuntimeAnswers } from '../../api/answers/runtime.js';
import type { FoundContent } from '../../api/runtime-records.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { countText } from '../../ui/figures.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import { TextShape } from '../../ui/loading.js';
import classes from './find-content.module.css';
import { snippetOf, stretchesOf } from './marked.js';

/** A trial of the runtime's content search, which agents use. The search tolerates typing errors. */
export function FindContent() {
  const { values, set } = useUrlState(['q']);
  const isAsked = values.q.trim() !== '';
  const all = useQuery(areaResource<List<unknown>>('platform', '/api/v1/content', { per_page: 1 }));
  const found = useQuery({
    ...areaResource<RuntimeAnswers['searchContent']>('runtime', '/api/v1/content/search', {
      q: values.q,
      limit: 20,
    }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  if (!isAsked && !all.data?.total) return null;
  return (
    <Section
      title="Test retrieval"
      text="See what an agent would find, ranked, with the matching passage."
      actions={<SearchField label="Test a query" value={values.q} onSearch={(q) => set({ q }, { isTyping: true })} />}
      flush
    >
      {isAsked && (
        <div className={classes.answer}>
          {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
          {found.isLoading && <TextShape />}
          {found.data?.total === 0 && <EmptyState title="No results" text="Try other words, or fewer." />}
          {found.data && found.data.total > 0 && <Results query={values.q} {...found.data} />}
        </div>
      )}
    </Section>
  );
}

function Results({ query, results, total }: { query: string; results: FoundContent[]; total: number }) {
  return (
    <>
      <Text size="xs" c="dimmed" mb="xs" role="status">
        {countText(total, 'result')}
        {results.length < total && `, the first ${results.length} shown`}
      </Text>
      <ol className={classes.results}>
        {results.map(({ id, title, content, snippet, tags }) => (
          <li key={id}>
            <Link to={`/build/content/${id}`} className={classes.title}>
              <bdi>{title}</bdi>
            </Link>
            <p className={classes.snippet}>
              <bdi>
                {stretchesOf(snippetOf(snippet, content), query).map(({ text, isMatch }, index) =>
                  isMatch ? <mark key={index}>{text}</mark> : text,
                )}
              </bdi>
            </p>
            {tags.length > 0 && (
              <Text size="xs" c="dimmed">
                <bdi>{tags.join(', ')}</bdi>
              </Text>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
