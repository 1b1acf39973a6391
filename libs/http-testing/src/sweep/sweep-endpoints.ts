import type { Role, Scope } from '@millwright/auth';
import { renderers, type AnswerForm, type ErrorCode, type ErrorRenderer } from '@millwright/errors';
import {
  needsCredential,
  needsFreshProof,
  rolesFor,
  scopeOf,
  type EndpointContract,
  type Method,
} from '@millwright/http';
import { CANARY, faultsOfFailure, type ExpectedFailure } from './answer-faults.js';
import { calendarEnds, type FieldDate } from './calendar.js';
import { exampleOf } from './example.js';
import { createHttpClient, limitHeaderFaults, type ClientAnswer } from '@millwright/testing';

type RequestHeaders = Readonly<Record<string, string>>;

/** Values of one path parameter. */
export interface ParamValues {
  /** Id of a record that the credential can access. */
  own: string;
  /** A record of the same kind in another project. */
  foreign: string;
  /** A well-formed id that belongs to no record. */
  unknown: string;
}

/** A running service whose endpoints are checked. */
export interface SweepTarget {
  /** URL of the service, without a slash at its end. */
  baseUrl: string;
  /**
   * URL of a second app, in which each budget allows one request a minute: `createRateLimiter({ multiplier: 1e-6 })`.
   */
  tightUrl: string;
  /** Headers of a credential that has every right. */
  credential: RequestHeaders;
  /** Headers of a well-formed credential that was never issued. */
  wrongCredential: RequestHeaders;
  /** Headers of a credential that has every right except one: a scope, a role, or actions that need a fresh proof. */
  credentialWithout: (missing: Scope | Role | 'fresh') => RequestHeaders;
  /** Values of each path parameter. */
  params: Readonly<Record<string, ParamValues>>;
  /** Bodies by operationId, for endpoints at which the smallest valid body is refused before the record is read. */
  bodies?: Readonly<Record<string, unknown>>;
  /** Queries by operationId, for lists that refuse the smallest query. */
  queries?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface SweepCheck {
  /** Title of the check, such as `GET /api/v1/skills/{skill_id} answers 404 for another project's skill_id`. */
  title: string;
  /** @throws Error that lists every difference between the answer and the contract. */
  run: () => Promise<void>;
}

export interface SweepOptions {
  area: AnswerForm;
  /** The form of failures. Default: the form of the service. */
  render?: ErrorRenderer;
  contracts: readonly EndpointContract[];
  /** Called when a check runs, so that the names of the checks are known before anything is started. */
  target: () => SweepTarget;
}

/** The form of a service's answers. */
interface Form {
  area: AnswerForm;
  render: ErrorRenderer;
}

/**
 * Returns checks of the failures that every endpoint must answer in the same way. The contract of an endpoint determines its checks: 401
 * without a credential and for a wrong one (the prompt API: 403 for a wrong one in `api-key`), 403 without the scope, the role or the fresh
 * proof, 404 in the same bytes for unknown ids and other projects' ids (the prompt API: 400 for an id that is not a UUID), no record of
 * another project in a list, 405 with `Allow` for other methods, 429 with `Retry-After` over the limit. A date at the end of the calendar
 * never causes an internal error; the check accepts 503, because a busy machine may answer it. Each answer has the limit headers and the
 * service's error envelope, and holds nothing of the request or of the code. Failures that are due before the body is read are provoked
 * with a body that is not JSON.
 *
 * ```ts
 * const contracts = createRoutes(createDatabase({ url: 'postgresql://unused', poolMax: 1 }), …).map(({ contract }) => contract);
 * let target: SweepTarget; // made in beforeAll
 * describe('every endpoint', () => {
 *   it.each(sweepEndpoints({ area: 'runtime', contracts, target: () => target }))('$title', ({ run }) => run());
 * });
 * ```
 */
export function sweepEndpoints({ area, render = renderers[area], contracts, target }: SweepOptions): SweepCheck[] {
  const form = { area, render };
  return [
    ...contracts.flatMap((contract) => endpointChecks(form, contract, target)),
    ...methodChecks(form, contracts, target),
  ];
}

/** The checks of `sweepEndpoints` that a project cannot access the records of another one. Use them for further pairs of projects. */
export const sweepProjects = (options: SweepOptions): SweepCheck[] =>
  sweepEndpoints(options).filter(({ title }) => title.includes('another project'));

/**
 * Returns a target whose requests come from the other project: its own records are the foreign records of `target`, and vice versa.
 *
 * @param numbered names of parameters whose values are numbers within a record, such as versions. These values are the same in both
 *   projects
 */
export const fromOtherProject = (
  target: SweepTarget,
  credential: RequestHeaders,
  numbered: readonly string[],
): SweepTarget => ({
  ...target,
  credential,
  params: Object.fromEntries(
    Object.entries(target.params).map(([name, { own, foreign, unknown }]) => [
      name,
      numbered.includes(name) ? { own, foreign, unknown } : { own: foreign, foreign: own, unknown },
    ]),
  ),
});

function endpointChecks(form: Form, contract: EndpointContract, target: () => SweepTarget): SweepCheck[] {
  const name = `${contract.method} ${contract.path}`;
  const check = (what: string, run: () => Promise<string[]>): SweepCheck => ({
    title: `${name} ${what}`,
    run: reporting(run),
  });
  const expectFailure = async (request: SweepRequest, expected: ExpectedFailure) =>
    faultsOfFailure(form.render, await send(target(), contract, request), expected);
  const over = check('answers 429 over the limit', async () => {
    const { tightUrl: baseUrl, credential } = target();
    const request = { baseUrl, headers: credential, unread: true };
    await send(target(), contract, request);
    const headers = { 'Retry-After': true, 'X-RateLimit-Remaining': '0' } as const;
    const expected = { code: 'rate_limited', headers } as const;
    const faults = await expectFailure(request, expected);
    // When a new minute began after the first request, the second request was admitted too. A third request then exceeds the limit of the
    // new minute.
    return faults.length === 0 ? faults : expectFailure(request, expected);
  });
  const { access } = contract;
  if (!needsCredential(access)) {
    const open = check('needs no credential', async () => {
      const answer = await send(target(), contract, { headers: {} });
      return [
        ...(answer.status === 401 || answer.status === 403 ? [`status ${answer.status}`] : []),
        ...limitHeaderFaults(answer),
      ];
    });
    return [open, over];
  }
  const unauthorized: ExpectedFailure = { code: 'unauthorized', headers: { 'WWW-Authenticate': true } };
  const wrong: ExpectedFailure = form.area === 'prompt' ? { code: 'forbidden' } : unauthorized;
  return [
    check('answers 401 without a credential', () => expectFailure({ headers: {}, unread: true }, unauthorized)),
    check(`answers ${form.area === 'prompt' ? 403 : 401} for a wrong credential`, () =>
      expectFailure({ headers: target().wrongCredential, unread: true }, wrong),
    ),
    ...requirementsOf(contract).map(({ missing, what, ...expected }) =>
      check(`answers 403 without ${what}`, () =>
        expectFailure({ headers: target().credentialWithout(missing), unread: true }, expected),
      ),
    ),
    ...Object.keys(contract.params?.shape ?? {}).map((param) =>
      check(`answers 404 for an unknown ${param} and for another project's`, () =>
        absentFaults(form, contract, param, target()),
      ),
    ),
    ...(isList(form, contract)
      ? [check('shows no record of another project', () => foreignIn(contract, target()))]
      : []),
    ...calendarChecks(contract, target),
    over,
  ];
}

interface Requirement extends ExpectedFailure {
  missing: Scope | Role | 'fresh';
  what: string;
}

/** A 403 has to name the missing scope (RFC 6750 §3.1). */
const namesScope = (scope: Scope) => ({
  namesField: true,
  headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
});

function requirementsOf({ access }: EndpointContract): Requirement[] {
  const [scope, [role, ...others] = []] = [scopeOf(access), rolesFor(access)];
  return [
    ...(scope
      ? [{ missing: scope, what: `the scope ${scope}`, code: 'forbidden', ...namesScope(scope) } as const]
      : []),
    ...(role
      ? [{ missing: role, what: `the role ${[role, ...others].join(' or ')}`, code: 'forbidden' } as const]
      : []),
    ...(needsFreshProof(access)
      ? [{ missing: 'fresh', what: 'a fresh proof', code: 'step_up_required' } as const]
      : []),
  ];
}

/** Requests for a record of another project and requests for a record that does not exist must get the same bytes. */
async function absentFaults(
  form: Form,
  contract: EndpointContract,
  param: string,
  target: SweepTarget,
): Promise<string[]> {
  const { credential, params } = target;
  const ask = (value: string) => send(target, contract, { headers: credential, replaced: { [param]: value } });
  const { foreign, unknown } = valuesOf(params, param);
  const [absent, hidden, malformed] = await Promise.all([ask(unknown), ask(foreign), ask(`${CANARY}%`)]);
  const faults = (what: string, answer: ClientAnswer, code: ErrorCode) =>
    faultsOfFailure(form.render, answer, { code }).map((fault) => `${what}: ${fault}`);
  return [
    ...faults('unknown', absent, 'not_found'),
    ...faults("another project's", hidden, 'not_found'),
    ...faults('malformed', malformed, form.area === 'prompt' ? 'validation_error' : 'not_found'),
    ...(absent.text === hidden.text ? [] : ['unknown and foreign records have different answers']),
  ];
}

/** Whether an endpoint lists records of one project. Lists of admin-auth do not: admins at the console see the records of all projects. */
const isList = ({ area }: Form, { method, params }: EndpointContract) =>
  area !== 'admin' && method === 'GET' && Object.keys(params?.shape ?? {}).length === 0;

/** Minimum length of an id. Shorter values are names and numbers, which may occur in records of both projects. */
const ID_LENGTH = 16;

/** One check for each field of the query or the body that takes a date. */
function calendarChecks(contract: EndpointContract, target: () => SweepTarget): SweepCheck[] {
  const [queries, bodies] = [calendarEnds(contract.query), calendarEnds(contract.body)];
  const check = (
    field: string,
    place: string,
    ask: (date: FieldDate) => Promise<ClientAnswer>,
    dates: FieldDate[],
  ) => ({
    title: `${contract.method} ${contract.path} answers dates at the ends of the calendar in ${field} of the ${place}`,
    run: reporting(async () => {
      const answers = dates.map(async (date) => ({ ...date, ...(await ask(date)) }));
      return (await Promise.all(answers)).flatMap(({ date, status, text }) =>
        status === 500 ? [`${date}: status ${status}: ${text}`] : [],
      );
    }),
  });
  const ask = (request: Partial<SweepRequest>) =>
    send(target(), contract, { headers: target().credential, ...request });
  return [
    ...[...Map.groupBy(queries, ({ field }) => field)].map(([field, dates]) =>
      check(field, 'query', ({ date }) => ask({ query: { [field]: date } }), dates),
    ),
    ...[...Map.groupBy(bodies, ({ field }) => field)].map(([field, dates]) =>
      check(field, 'body', ({ date }) => ask({ fields: { [field]: date } }), dates),
    ),
  ];
}

/** Requests a list, a sum or a search, and returns a fault for each record of another project that the answer names. */
async function foreignIn(contract: EndpointContract, target: SweepTarget): Promise<string[]> {
  const { status, text } = await send(target, contract, { headers: target.credential, query: {} });
  const shown = Object.values(target.params).filter(
    ({ foreign }) => foreign.length > ID_LENGTH && text.includes(foreign),
  );
  return [
    ...(status === 400 || status === 422 ? [`status ${status}: ${text}`] : []),
    ...shown.map(({ foreign }) => `${foreign} is another project's`),
  ];
}

const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function methodChecks(form: Form, contracts: readonly EndpointContract[], target: () => SweepTarget): SweepCheck[] {
  const byPath = Map.groupBy(contracts, ({ path }) => path);
  return [...byPath].map(([path, [first, ...others]]) => ({
    title: `${path} answers 405 with Allow for other methods`,
    run: reporting(async () => {
      if (!first) return [];
      const served = [first, ...others].map(({ method }) => method);
      const Allow = served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).join(', ');
      const answers = METHODS.filter((method) => !served.includes(method)).map(async (method) => {
        const answer = await send(target(), { ...first, method }, { headers: target().credential, unread: true });
        const faults = faultsOfFailure(form.render, answer, { code: 'method_not_allowed', headers: { Allow } });
        return faults.map((fault) => `${method}: ${fault}`);
      });
      return (await Promise.all(answers)).flat();
    }),
  }));
}

interface SweepRequest {
  headers: RequestHeaders;
  baseUrl?: string;
  /** Values of path parameters that replace `own`. */
  replaced?: Readonly<Record<string, string>>;
  /** Whether the answer must come before the body is read. */
  unread?: boolean;
  /** Parameters that are added to the smallest query. Without this field, the query has only an unknown parameter. */
  query?: Readonly<Record<string, string>>;
  /** Fields that are added to the smallest body. */
  fields?: Readonly<Record<string, string>>;
}

/** The smallest query that a contract accepts, plus the given parameters. */
function queryOf(
  { operationId, query }: EndpointContract,
  target: SweepTarget,
  further: Readonly<Record<string, string>>,
) {
  const smallest = target.queries?.[operationId] ?? ((query ? exampleOf(query) : {}) as Record<string, unknown>);
  const parameters = Object.entries({ ...smallest, ...further });
  return new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, String(value)]));
}

function send(target: SweepTarget, contract: EndpointContract, request: SweepRequest): Promise<ClientAnswer> {
  const { headers, baseUrl = target.baseUrl, replaced = {}, unread = false, query, fields } = request;
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_whole, param: string) =>
    encodeURIComponent(replaced[param] ?? valuesOf(target.params, param).own),
  );
  const client = createHttpClient(baseUrl, headers);
  if (contract.method === 'GET') {
    const asked = query ? queryOf(contract, target, query) : new URLSearchParams({ [CANARY]: CANARY });
    return client('GET', `${path}?${asked.toString()}`);
  }
  if (unread)
    return client(contract.method, path, { body: `{"${CANARY}`, headers: { 'content-type': 'application/json' } });
  const body = target.bodies?.[contract.operationId] ?? (contract.body && exampleOf(contract.body));
  return client(contract.method, path, body === undefined ? {} : { json: fields ? { ...body, ...fields } : body });
}

function valuesOf(params: SweepTarget['params'], param: string): ParamValues {
  const values = params[param];
  if (!values) throw new Error(`the sweep's target has no values for {${param}}`);
  return values;
}

function reporting(run: () => Promise<string[]>): () => Promise<void> {
  return async () => {
    const faults = await run();
    if (faults.length > 0) throw new Error(faults.join('\n'));
  };
}
