import { Group, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { areaResource } from '../../api/areas.js';
import type { FoundContent } from '../../api/runtime-records.js';
import { EmptyState } from '../../ui/empty-state.js';
import { Failure } from '../../ui/failure.js';
import { SearchField } from '../../ui/search-field.js';
import { Section } from '../../ui/section.js';
import { useUrlState } from '../../ui/use-url-state.js';
import classes from './find-content.module.css';

/** The search of the runtime: ranked by words, misspelt ones too, with the place where they stand. */
export function FindContent() {
  const { values, set } = useUrlState(['q']);
  const found = useQuery({
    ...areaResource<{ results: FoundContent[]; total: number }>('runtime', '/api/v1/content/search', {
      q: values.q,
      limit: 20,
    }),
    enabled: values.q.trim() !== '',
    placeholderData: keepPreviousData,
  });
  const results = values.q === '' ? undefined : found.data;
  return (
    <Section
      title="Find by words"
      text="As agents and the search API find active items: the best first, with the place."
      actions={
        <SearchField label="Find in content" value={values.q} onSearch={(q) => set({ q }, { isTyping: true })} />
      }
    >
      {values.q !== '' && found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {found.isLoading && <Skeleton height={60} aria-busy="true" aria-label="Searching" />}
      {results?.total === 0 && <EmptyState title="Nothing has these words" text="Try others, or fewer of them." />}
      {results && results.total > 0 && (
        <>
          <Text size="xs" c="dimmed" mb="xs" role="status">
            {results.results.length} of {results.total.toLocaleString('en')}
          </Text>
          <ol className={classes.results}>
            {results.results.map(({ id, title, snippet, tags }) => (
              <li key={id}>
                <Link to={`/build/content/${id}`} className={classes.title}>
                  <bdi>{title}</bdi>
                </Link>
                <p className={classes.snippet}>
                  <bdi>{snippet}</bdi>
                </p>
                {tags.length > 0 && (
                  <Group gap={4}>
                    <Text size="xs" c="dimmed">
                      <bdi>{tags.join(', ')}</bdi>
                    </Text>
                  </Group>
                )}
              </li>
            ))}
          </ol>
        </>
      )}
    </Section>
  );
}
