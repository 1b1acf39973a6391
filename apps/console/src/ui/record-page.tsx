import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { BackLink } from './back-link.js';
import { Failure } from './failure.js';
import { PageHeader } from './page-header.js';

export interface RecordPageProps<Found> {
  back: { to: string; label: string };
  /** Its heading until the record is there. */
  title: string;
  query: { data?: Found | undefined; error: Error | null; refetch: () => unknown };
  children: (found: Found) => ReactNode;
}

/** A page about one record: it is loading, could not be read, or is there. */
export function RecordPage<Found>({ back, title, query, children }: RecordPageProps<Found>) {
  return (
    <>
      <BackLink to={back.to}>{back.label}</BackLink>
      {query.data !== undefined ? (
        children(query.data)
      ) : (
        <>
          <PageHeader title={title} />
          {query.error ? (
            <Failure error={query.error} retry={() => void query.refetch()} />
          ) : (
            <Skeleton height={260} radius="md" aria-busy="true" aria-label="Loading" />
          )}
        </>
      )}
    </>
  );
}
