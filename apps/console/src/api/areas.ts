import { queryOptions } from '@tanstack/react-query';
import { call, withQuery, type Params } from './api.js';
import { answerOf, ApiError, type CallOptions, type Method } from './client.js';
import { currentProject } from './project.js';
import type { List } from './records.js';

export type Area = 'platform' | 'runtime' | 'prompt';

/** A record, and what its next change has to say that it saw. */
export interface Versioned<Fields> {
  record: Fields;
  etag: string;
}

/** The area is switched off, is starting, or cannot work. */
export class AreaUnavailable extends ApiError {
  constructor(
    readonly area: Area,
    { status, code, message, requestId }: ApiError,
  ) {
    super(status, code, message, requestId);
  }
}

/** A refusal in the words of the area. admin-auth's own `unavailable` says that nobody there answered. */
function refusalOf(area: Area, error: unknown): unknown {
  return error instanceof ApiError && error.code === 'unavailable' ? new AreaUnavailable(area, error) : error;
}

/** Where the console finds an area's path. */
export const areaPath = (area: Area, path: string): string => `/areas/${area}${path}`;

export const projectHeader = () => ({ 'x-millwright-project': currentProject() });

/** A call of another area, in the project that was chosen. */
export async function callArea(area: Area, method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  const headers = { ...projectHeader(), ...options.headers };
  return call(method, areaPath(area, path), { ...options, headers }).catch((error: unknown) => {
    throw refusalOf(area, error);
  });
}

/** The same for what the answer says. */
export async function askArea<Answer>(
  area: Area,
  method: Method,
  path: string,
  body?: unknown,
  options: Omit<CallOptions, 'body'> = {},
): Promise<Answer> {
  return answerOf<Answer>(await callArea(area, method, path, { ...options, body }));
}

/** `If-Match` of a change to what was read. */
export const matching = (etag: string | undefined) => (etag ? { headers: { 'if-match': etag } } : {});

const keyOf = (area: Area, path: string, params: Params) => [
  area,
  ...path.split('/').filter(Boolean),
  currentProject(),
  params,
];

/** What is read from an area's path. */
export function areaResource<Answer>(area: Area, path: string, params: Params = {}) {
  return queryOptions({
    queryKey: keyOf(area, path, params),
    queryFn: ({ signal }) => askArea<Answer>(area, 'GET', withQuery(path, params), undefined, { signal }),
  });
}

/** One page of a list whose body is the array: how many there are in all stands in `X-Total-Count`. */
export function areaList<Item>(area: Area, path: string, params: Params & { page: number; limit: number }) {
  return queryOptions({
    queryKey: keyOf(area, path, { ...params, listed: 'yes' }),
    queryFn: async ({ signal }): Promise<List<Item>> => {
      const answer = await callArea(area, 'GET', withQuery(path, params), { signal });
      const total = Number(answer.headers.get('x-total-count'));
      return { items: await answerOf<Item[]>(answer), total, page: params.page, per_page: params.limit };
    },
  });
}

/** One record with its version. It is not read anew by itself: whoever edits it keeps what they typed. */
export function areaRecord<Fields>(area: Area, path: string) {
  return queryOptions({
    queryKey: keyOf(area, path, { versioned: 'yes' }),
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    queryFn: async ({ signal }): Promise<Versioned<Fields>> => {
      const answer = await callArea(area, 'GET', path, { signal });
      return { record: await answerOf<Fields>(answer), etag: answer.headers.get('etag') ?? '' };
    },
  });
}
