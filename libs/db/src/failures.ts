import { AppError } from '@millwright/errors';

/** The fields in which pg, the driver adapter or Prisma reports the reason of a failure. */
interface FailureShape {
  code?: unknown;
  message?: unknown;
  cause?: unknown;
  meta?: { driverAdapterError?: unknown; target?: unknown };
  originalCode?: unknown;
  originalMessage?: unknown;
  kind?: unknown;
  constraint?: unknown;
  table?: unknown;
}

/** Yields the failure and its causes, the outermost first. */
export function* failureChain(error: unknown): Generator<FailureShape> {
  let current: unknown = error;
  for (let depth = 0; depth < 8 && typeof current === 'object' && current !== null; depth++) {
    const shape: FailureShape = current;
    yield shape;
    current = shape.meta?.driverAdapterError ?? shape.cause;
  }
}

/**
 * SQLSTATE classes and codes of temporary failures: connection failure, shutdown, no free connection, and the timeouts
 * of locks, statements and idle transactions.
 */
const SQLSTATE_UNAVAILABLE = /^(08...|57P0[1-4]|57014|53...|55P03|40001|40P01|25P03|25006)$/;
const SYSTEM_UNAVAILABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/**
 * Prisma's codes of temporary failures: server not reached, timeout, connection closed, pool timeout, transaction not
 * started or ended early, write conflict.
 */
const PRISMA_UNAVAILABLE = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037']);
const DRIVER_MESSAGES =
  /timeout exceeded|timeout expired|Connection terminated|Query read timeout|connection timeout|Client has encountered a connection error|server closed the connection/i;
/** Message of pg when a connection is not opened in time. */
export const CONNECT_TIMEOUT = 'timeout expired';
/** Message of pg when the pool closes the connection to a silent server. */
export const READ_TIMEOUT = 'Query read timeout';
const ADAPTER_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
]);

function isUnavailable(shape: FailureShape): boolean {
  const codes = [shape.code, shape.originalCode].filter((code) => typeof code === 'string');
  return (
    codes.some((c) => SQLSTATE_UNAVAILABLE.test(c) || SYSTEM_UNAVAILABLE.has(c) || PRISMA_UNAVAILABLE.has(c)) ||
    (typeof shape.kind === 'string' && ADAPTER_KINDS.has(shape.kind)) ||
    (typeof shape.message === 'string' && DRIVER_MESSAGES.test(shape.message))
  );
}

/** Converts a temporary failure of the database to AppError `unavailable`; any other failure is returned unchanged. */
export function databaseFailure(error: unknown): unknown {
  if (error instanceof AppError) return error;
  for (const shape of failureChain(error))
    if (isUnavailable(shape)) return new AppError('unavailable', { cause: error });
  return error;
}

/** Whether the database did not answer, or did not answer in time. The same statement may succeed later. */
export const isDatabaseFailure = (error: unknown): boolean =>
  !(error instanceof AppError) && databaseFailure(error) instanceof AppError;

/**
 * Handler for `.catch` that turns a violated unique constraint into a conflict. For records of a project, the conflict
 * names the field whose value is taken.
 *
 * @throws AppError conflict for a violated constraint; otherwise the failure itself
 */
export function conflictWhenTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const field = takenColumn(error);
  const fields = field === undefined ? [] : [{ field, reason: 'is taken by another record of the project' }];
  throw new AppError('conflict', { cause: error, fields });
}

/**
 * Returns the column of a violated unique index of a project's records, from the name of the index:
 * `skills_project_name_key`.
 */
function takenColumn(error: unknown): string | undefined {
  for (const { constraint, table } of failureChain(error)) {
    // pg reports the name of the index, and the driver adapter an object with the name.
    const { index }: { index?: unknown } = typeof constraint === 'string' ? { index: constraint } : (constraint ?? {});
    const own = typeof index === 'string' && typeof table === 'string' && index.startsWith(`${table}_project_`);
    if (own) return /^(?:source_)?(\w+)_(?:key|idx)$/.exec(index.slice(`${table}_project_`.length))?.[1];
  }
  return undefined;
}

/** Whether PostgreSQL reported this SQLSTATE. */
function hasState(error: unknown, state: string): boolean {
  for (const { code, originalCode } of failureChain(error)) if (code === state || originalCode === state) return true;
  return false;
}

/**
 * Whether a statement exceeded its time limit: either the server ended it, or this process closed the connection first.
 */
export function isStatementTimeout(error: unknown): boolean {
  return hasState(error, '57014') || [...failureChain(error)].some(({ message }) => message === READ_TIMEOUT);
}

/** Whether a statement did not get a lock within its `lock_timeout`, or at once with `NOWAIT`. */
export const isLockTimeout = (error: unknown): boolean => hasState(error, '55P03');

/** Whether the server ended a transaction because of a deadlock with another transaction. */
export const isDeadlock = (error: unknown): boolean => hasState(error, '40P01');

/** Whether a unique constraint refused the change. */
export function isUniqueViolation(error: unknown): boolean {
  return hasState(error, '23505') || [...failureChain(error)].some(({ code }) => code === 'P2002');
}

/**
 * Returns the innermost code of a failure (SQLSTATE, network, TLS), or its kind when it has no code. The result never
 * contains the text of the failure, which may name hosts and users.
 */
export function causeOf(error: unknown): string {
  const shapes = [...failureChain(error)].reverse();
  const codes = shapes
    .flatMap(({ originalCode, code }) => [originalCode, code])
    .filter((code) => typeof code === 'string');
  return (
    codes.find((code) => !PRISMA_UNAVAILABLE.has(code) && code !== 'unavailable') ?? codes[0] ?? 'no answer in time'
  );
}
