import { telemetryEvents } from '@millwright/telemetry';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { LATENCY_BUCKETS_S } from './latency-buckets.js';

/** Counts the events that the libs record. */
export function countTelemetryEvents(registry: Registry): void {
  const registers = [registry];
  const upstreamDuration = new Histogram({
    name: 'upstream_call_duration_seconds',
    help: 'Time from a call of a model, an MCP server, a plugin or the like to the beginning of its answer; a model’s: to its end',
    labelNames: ['kind', 'outcome'],
    buckets: LATENCY_BUCKETS_S,
    registers,
  });
  const openBreakers = new Gauge({
    name: 'upstream_breakers_open',
    help: 'Upstreams that failed so often that they are not called for a while',
    labelNames: ['kind'],
    registers,
  });
  const tokens = new Counter({
    name: 'model_tokens_total',
    help: 'Tokens that models read and wrote',
    labelNames: ['model', 'direction'],
    registers,
  });
  const audit = new Counter({
    name: 'audit_writes_total',
    help: 'Rows of the audit log, written or not',
    labelNames: ['decision', 'outcome'],
    registers,
  });
  // Creates the series with the value 0: an alert on the first failure works only when the series exists before that
  // failure.
  for (const decision of ['allow', 'deny']) audit.inc({ decision, outcome: 'failed' }, 0);
  const signIns = new Counter({
    name: 'sign_ins_total',
    help: 'Attempts to sign in that were proved or refused',
    labelNames: ['method', 'outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'quota_refusals_total',
    help: 'Changes refused because their project would have more than a quota allows',
    labelNames: ['kind', 'measure'],
    registers,
  });
  const replicaReads = new Counter({
    name: 'db_replica_reads_total',
    help: 'Reads that the replica of the database answered, or the primary in its place',
    labelNames: ['outcome'],
    registers,
  });
  telemetryEvents.upstreamCall.listen(({ kind, outcome, seconds }) => {
    upstreamDuration.observe({ kind, outcome }, seconds);
    openBreakers.inc({ kind }, 0);
  });
  telemetryEvents.breaker.listen(({ kind, open }) => openBreakers.inc({ kind }, open ? 1 : -1));
  telemetryEvents.modelTokens.listen(({ model, input, output }) => {
    tokens.inc({ model, direction: 'input' }, input);
    tokens.inc({ model, direction: 'output' }, output);
  });
  telemetryEvents.auditWrite.listen(({ decision, outcome }) => audit.inc({ decision, outcome }));
  telemetryEvents.quotaRefusal.listen(({ kind, measure }) => refusals.inc({ kind, measure }));
  telemetryEvents.replicaRead.listen(({ outcome }) => replicaReads.inc({ outcome }));
  telemetryEvents.signIn.listen(({ method, outcome }) => signIns.inc({ method, outcome }));
}
