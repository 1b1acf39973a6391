// @ts-check

/**
 * Faults to put into the sources, each in code whose failure is not noticed at once: limits, quotas, deletion, locks, records of spending.
 *
 * @typedef {object} Mutant
 * @property {string} file
 * @property {string} text occurs once in the file
 * @property {string} fault replaces the text
 * @property {string} folder of the tests
 * @property {string} tests pattern of their files
 */

/** @param {string} file @param {string} text @param {string} fault @param {string} folder @param {string} tests @returns {Mutant} */
const mutant = (file, text, fault, folder, tests) => ({ file, text, fault, folder, tests });

const QUOTAS = 'prisma/migrations/20261122195700_quotas/migration.sql';
const LIMITER = 'libs/rate-limit/src/rate-limiter.ts';

export const mutants = [
  mutant(LIMITER, ': Math.max(ownCount, sum);', ': sum;', 'libs/rate-limit', 'rate-limiter.test'),
  mutant(LIMITER, 'isClose ? PATIENCE_MS : undefined', 'undefined', 'libs/rate-limit', 'rate-limiter.test'),
  mutant(
    LIMITER,
    "if (sums === undefined && mustShare) throw new AppError('unavailable');",
    '',
    'libs/rate-limit',
    'rate-limiter.test',
  ),
  mutant(
    'libs/rate-limit/src/minute-counter.ts',
    'Math.max(own, last.sum + own - last.own)',
    'own',
    'libs/rate-limit',
    'rate-limiter.test',
  ),
  mutant('libs/rate-limit/src/places.ts', 'answer ?? !mustShare', 'answer ?? true', 'libs/rate-limit', 'places'),
  mutant(
    'libs/rate-limit/src/redis-places.ts',
    'if tonumber(ends) <= now then',
    'if false then',
    'libs/rate-limit',
    'places',
  ),
  mutant(
    'libs/rate-limit/src/breaker.ts',
    'if (result !== undefined) failures = 0;',
    '',
    'libs/rate-limit',
    'breaker|rate-limiter.test',
  ),
  mutant(
    QUOTAS,
    'used.used_rows + more_rows > max.rows',
    'used.used_rows + more_rows > max.rows + 1',
    'libs/db',
    'quota',
  ),
  mutant(
    QUOTAS,
    'used.used_bytes + more_bytes > max.bytes',
    'used.used_bytes + more_bytes > max.bytes + 1',
    'libs/db',
    'quota',
  ),
  mutant(
    QUOTAS,
    'IF used.used_rows > max.rows / 10 * 9 OR used.used_bytes > max.bytes / 10 * 9 THEN',
    'IF false THEN',
    'libs/db',
    'quota',
  ),
  mutant(QUOTAS, 'taken_rows <= max.rows / shares AND', 'true AND', 'libs/db', 'quota'),
  mutant(QUOTAS, "CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END", '1', 'libs/db', 'quota'),
  mutant(QUOTAS, '%2$L, c.rows, c.bytes);', '%2$L, c.rows, 0);', 'libs/db', 'quota'),
  mutant(
    'libs/db/src/delete-in-steps.ts',
    'if (limit === 1 || !(isStatementTimeout(error) || isDeadlock(error))) throw error;',
    'throw error;',
    'libs/db',
    'delete-in-steps',
  ),
  mutant('libs/db/src/delete-in-steps.ts', 'total += changed;', 'total = changed;', 'libs/db', 'delete-in-steps'),
  mutant('libs/db/src/counters.ts', '.sort((a, b) => (a.status < b.status ? -1 : 1))', '', 'libs/db', 'counters'),
  mutant('libs/db/src/failures.ts', '|40P01|', '|', 'libs/db', 'database|pool|counters'),
  mutant(
    'libs/db/src/idempotency.ts',
    'WHERE id = ${request.id} AND status IS NULL AND created_at = ${claimedAt}`.catch',
    'WHERE id = ${request.id} AND status IS NULL`.catch',
    'libs/db',
    'idempotency',
  ),
  mutant(
    'libs/db/src/limit-session.ts',
    'idle_in_transaction_session_timeout: 10_000',
    'idle_in_transaction_session_timeout: 0',
    'libs/db',
    'database.test',
  ),
  mutant(
    'libs/http/src/endpoint/call.ts',
    '`${principal.credential.id}:${principal.project}`',
    'principal.credential.id',
    'libs/http',
    'endpoint/replay',
  ),
  mutant('libs/http/src/capacity/admission.ts', 'if (closed) giveBack(shares);', '', 'libs/http', 'capacity'),
  mutant(
    'apps/admin-auth/src/jobs/expire-one-time.ts',
    "'expires_at < now() AND lease_until < now()'",
    "'expires_at < now()'",
    'apps/admin-auth',
    'expire-one-time',
  ),
  mutant(
    'apps/admin-auth/src/jobs/forget-deleted.ts',
    'AND NOT EXISTS (SELECT FROM ${of} p WHERE p.${column} = r.id) LIMIT',
    'LIMIT',
    'apps/admin-auth',
    'forget-deleted',
  ),
  mutant(
    'apps/admin-auth/src/jobs/forget-content.ts',
    'WHERE i.project = g.project AND i.search',
    'WHERE i.search',
    'apps/admin-auth',
    'forget-content',
  ),
  mutant(
    'libs/jobs/src/runs.store.ts',
    " AND u.role = 'admin' AS allowed",
    ' AS allowed',
    'libs/jobs',
    'scheduler|replicas',
  ),
  mutant('libs/jobs/src/scheduler.ts', 'singletonKey: job.name', 'singletonKey: id', 'libs/jobs', 'scheduler|replicas'),
  mutant(
    'libs/audit/src/audit-verifier.ts',
    'follows && !partial ? previous : undefined',
    'undefined',
    'libs/audit',
    'tampering|verifier',
  ),
  mutant(
    'libs/egress/src/connection-shares.ts',
    'if (next) next();\n      else share.used -= 1;',
    'next?.();\n      share.used -= 1;',
    'libs/egress',
    'connection-shares',
  ),
  mutant(
    'libs/mcp/src/event-stream.ts',
    'endIn(tail, text); end !== undefined',
    "endIn('', text); end !== undefined",
    'libs/mcp',
    'event-stream',
  ),
  mutant('libs/models/src/models.ts', 'begun.attempt.extend(until - now());', '', 'libs/models', 'models.test'),
  mutant('libs/models/src/models.ts', 'if (!answered) left(definition, received);', '', 'libs/models', 'models.test'),
  mutant('libs/models/src/failures.ts', 'chunks > 0 || (began', 'chunks > 1 || (began', 'libs/models', 'models.test'),
  mutant(
    'libs/models/src/usage/roll-up-usage.ts',
    'coalesce((SELECT max(day) FROM usage_days),',
    'coalesce((SELECT max(day) + 1 FROM usage_days),',
    'libs/models',
    'roll-up-usage',
  ),
  mutant(
    'apps/prompt-api/src/prompts/versions.store.ts',
    "if (error instanceof ProtectedLabel) await recordDenial(db, error.denied, 'the label is protected');",
    '',
    'apps/prompt-api',
    'prompts/versions',
  ),
  mutant(
    'apps/runtime-api/src/tools/call-tool.ts',
    'await recordDecision(tx, entry);\n      await sent.keep(tx, tool);',
    'await sent.keep(tx, tool);',
    'apps/runtime-api',
    'tools/tools.test',
  ),
  mutant(
    'libs/accounts/src/revocation/revoke-credentials.ts',
    'await tx.oAuthAuthorization.updateMany({\n    where: { user_id: userId, expires_at: { gt: now } },\n    data: { expires_at: now },\n  });',
    '',
    'libs/accounts',
    'revoke-credentials|deactivate',
  ),
  mutant('libs/db/src/turns.ts', 'items.delete(owner);\n        items.set(owner, left);', '', 'libs/db', 'turns.test'),
  mutant('libs/db/src/pool.ts', 'const owner = currentOwner();', "const owner = '';", 'libs/db', 'pool.test'),
  mutant('libs/http/src/contract/gate.ts', 'changeOwner(principal.user.id);', '', 'libs/http', 'database-turns'),
  mutant(
    'libs/http/src/process/pace-requests.ts',
    'accountOf(request, response) ?? addressOf',
    'addressOf',
    'libs/http',
    'pace-requests',
  ),
  mutant(
    'libs/http/src/process/pace-requests.ts',
    'else if (response.statusCode === 401) accounts.delete(digest);',
    '',
    'libs/http',
    'pace-requests',
  ),
  mutant(
    'libs/http/src/process/pace-requests.ts',
    'if (acceptTurns === 0) await beginWaiting();',
    'await beginWaiting();',
    'libs/http',
    'pace-requests',
  ),
  mutant(
    'libs/http/src/capacity/admission.ts',
    'if (!isReading) giveBackExpensive();',
    'giveBackExpensive();',
    'libs/http',
    'admission',
  ),
  mutant('libs/mcp/src/held-bytes.ts', '(byUser.get(user) ?? 0) + more > perUser || ', '', 'libs/mcp', 'held-bytes'),
  mutant(
    'apps/runtime-api/src/connections/discovery.ts',
    'if (!isSameOrigin(authorization_endpoint, token_endpoint))',
    "if (authorization_endpoint === '')",
    'apps/runtime-api',
    'connections/discovery',
  ),
  mutant(
    'apps/runtime-api/src/tools/taint.ts',
    'if (sources.length === 0 && untrusted.length > 0) sources.push(CONVERSATION);',
    '',
    'apps/runtime-api',
    'tools/taint',
  ),
  mutant('apps/runtime-api/src/a2a/sign-card.ts', 'if (known) return known;', '', 'apps/runtime-api', 'a2a/sign-card'),
  mutant(
    'libs/http/src/process/on-close.ts',
    'if (response.closed || response.destroyed) listener();\n  else response',
    'response',
    'libs/http',
    'protocol/client-left',
  ),
  mutant(
    'libs/http/src/capacity/body-time.ts',
    '(arrived >= leastBytes || request.isPaused())',
    'true',
    'libs/http',
    'body-time',
  ),
  mutant(
    'libs/http/src/capacity/shares.ts',
    'waiting.size >= MOST_WAITING || left.aborted',
    'left.aborted',
    'libs/http',
    'capacity/shares',
  ),
  mutant(
    'libs/models/src/count-tokens.ts',
    'if (work < WORK_PER_TURN) continue;',
    'continue;',
    'libs/models',
    'count-tokens',
  ),
  mutant(
    'libs/schemas/src/fair-queue.ts',
    'projects.add(project, (lanes)',
    "projects.add('', (lanes)",
    'libs/schemas',
    'schema-validator',
  ),
  mutant(
    'libs/mcp/src/server-connections.ts',
    "const UNREACHED: ReadonlySet<EgressFailure> = new Set(['network', 'unresolvable']);",
    "const UNREACHED: ReadonlySet<EgressFailure> = new Set(['network', 'unresolvable', 'busy']);",
    'libs/mcp',
    'server-connections',
  ),
];
