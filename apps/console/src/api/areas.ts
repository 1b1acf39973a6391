import { queryOptions } from '@tanstack/react-query';
import { call, withQuery, type Params } from './api.js';
import { answerOf, ApiError, type CallOptions, type Method } from './client.js';
import { currentProject, isProjectChosen } from './project.js';
import type { List } from './admin-records.js';

export type Area = 'platform' | 'runtime' | 'prompt';

/** A record with the ETag that its next change must match. */
export interface Versioned<Fields> {
  record: Fields;
  etag: string;
}

/** The error that is thrown when the service is off, starting or failing. */
export class AreaUnavailable extends ApiError {
  readonly area: Area;

  constructor(area: Area, { status, code, message, requestId }: ApiError) {
    super(status, code, message, requestId);
    this.area = area;
  }
}

/** Returns the error to throw for a failed call: AreaUnavailable if the service did not answer, otherwise the given error. */
function refusalOf(area: Area, error: unknown): unknown {
  return error instanceof ApiError && error.code === 'unavailable' ? new AreaUnavailable(area, error) : error;
}

/** Builds the path at which admin-auth forwards requests to a service. */
export const areaPath = (area: Area, path: string): string => `/areas/${area}${path}`;

/** The header that names the chosen project. Without the header, the server uses the user's own project, or Core for administrators. */
export const projectHeader = (): Readonly<Record<string, string>> =>
  isProjectChosen() ? { 'x-millwright-project': currentProject() } : {};

/** Sends a request to a service, for the chosen project. */
export async function callArea(area: Area, method: Method, path: string, options: CallOptions = {}): Promise<Response> {
  const headers = { ...projectHeader(), ...options.headers };
  return call(method, areaPath(area, path), { ...options, headers }).catch((error: unknown) => {
    throw refusalOf(area, error);
  });
}

/** Sends a request like `callArea`, and resolves with the JSON of the answer. */
export async function askArea<Answer>(
  area: Area,
  method: Method,
  path: string,
  body?: unknown,
  options: Omit<CallOptions, 'body'> = {},
): Promise<Answer> {
  return answerOf<Answer>(await callArea(area, method, path, { ...options, body }));
}

/** Builds call options with the header `If-Match`. */
export const matching = (etag: string | undefined) => (etag ? { headers: { 'if-match': etag } } : {});

const keyOf = (area: Area, path: string, params: Params) => [
  area,
  ...path.split('/').filter(Boolean),
  currentProject(),
  params,
];

/** Builds a query that reads a path of a service. */
export function areaResource<Answer>(area: Area, path: string, params: Params = {}) {
  return queryOptions({
    queryKey: keyOf(area, path, params),
    queryFn: ({ signal }) => askArea<Answer>(area, 'GET', withQuery(path, params), undefined, { signal }),
  });
}

/** A query for one page of a list whose body is an array; the total is in `X-Total-Count`. */
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

/** A query for a record with its ETag. The query has no automatic refetch, so that an open form keeps its input. */
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
