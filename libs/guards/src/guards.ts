import type { ModelAnswer, ModelMessage, ModelToolCall } from '@millwright/models';
import { detectionFor, type Detection } from './detect.js';
import { effectivePolicy, GUARD_POINTS, type GuardPoint, type GuardPolicy } from './guard.js';
import { GuardBlocked } from './guard-blocked.js';
import { redactJsonText, redactValue } from './redact-json.js';
import { createRedactor, Findings, redactText, type Finding } from './redactor.js';

/** A redacted text or value: it may be stored, sent and shown, even when its run is blocked. */
export interface Guarded<Value> {
  value: Value;
  /** The reason why the run must end; undefined when it may continue. */
  blocked: GuardBlocked | undefined;
}

/** Receives the findings of one text. */
export type ReportFindings = (point: GuardPoint, findings: readonly Finding[]) => Promise<void> | void;

/** Text of the model while it is streamed. */
export interface GuardedStream {
  push: (delta: string) => void;
  /** Call with the guarded text of the whole answer, once its run goes on. */
  end: (answer: string) => void;
}

const POINT_OF: Readonly<Record<ModelMessage['role'], GuardPoint | undefined>> = {
  system: undefined,
  user: 'input',
  assistant: 'output',
  tool: 'tools',
};

/** The guards of one run, by the policies of its project and its agent. Without policies, texts stay unchanged. */
export function createGuards(policies: readonly GuardPolicy[], report: ReportFindings = () => undefined) {
  const policy = effectivePolicy(policies);
  const detections = new Map(
    GUARD_POINTS.flatMap((point) => {
      const detection = detectionFor(policy, point);
      return detection ? [[point, detection] as const] : [];
    }),
  );

  async function guarded<Value>(
    point: GuardPoint,
    value: Value,
    redact: (detection: Detection, findings: Findings) => Promise<Value>,
  ): Promise<Guarded<Value>> {
    const detection = detections.get(point);
    if (!detection) return { value, blocked: undefined };
    const findings = new Findings();
    const redacted = await redact(detection, findings);
    if (findings.all.length > 0) await report(point, findings.all);
    const { blockedBy } = findings;
    return { value: redacted, blocked: blockedBy === undefined ? undefined : new GuardBlocked(blockedBy, point) };
  }

  /** Redacts a stored message. It may predate the rules, so a match is redacted rather than blocked, and not reported again. */
  async function stored(message: ModelMessage): Promise<ModelMessage> {
    const point = POINT_OF[message.role];
    const detection = point && detections.get(point);
    if (!detection) return message;
    const findings = new Findings();
    const { tool_calls: calls } = message;
    const content =
      message.role === 'tool'
        ? await redactJsonText(detection, message.content, findings)
        : await redactText(detection, message.content, findings);
    return { ...message, content, ...(calls && { tool_calls: await redactCalls(detection, calls, findings) }) };
  }

  return {
    /** Whether a guard is active at a point. */
    isActive: (point: GuardPoint): boolean => detections.has(point),

    text: (point: GuardPoint, text: string): Promise<Guarded<string>> =>
      guarded(point, text, (detection, findings) => redactText(detection, text, findings)),

    /** Guards a text that may be JSON. */
    json: (point: GuardPoint, text: string): Promise<Guarded<string>> =>
      guarded(point, text, (detection, findings) => redactJsonText(detection, text, findings)),

    /** Guards a JSON value; returns the same object when nothing was found. */
    value: <Value>(point: GuardPoint, value: Value): Promise<Guarded<Value>> =>
      guarded(point, value, (detection, findings) => redactValue(detection, value, findings)),

    /** Guards the messages for the model, by author. System messages stay unchanged: they belong to the agent or prompt. */
    async messages<Message extends ModelMessage>(messages: readonly Message[]): Promise<Message[]> {
      const redacted: Message[] = [];
      for (const message of messages) redacted.push({ ...message, ...(await stored(message)) });
      return redacted;
    },

    /** Guards an answer of the model: its text, its tool calls, and the copy in the format of the model's API. */
    answer: (answer: ModelAnswer): Promise<Guarded<ModelAnswer>> =>
      guarded('output', answer, (detection, findings) => redactAnswer(detection, answer, findings)),

    /**
     * Text as it is written. The answer that it becomes decides whether its run is blocked. JSON is emitted as a whole, because its
     * values are guarded as its reader parses them.
     */
    stream(emit: (delta: string) => void): GuardedStream {
      const detection = detections.get('output');
      if (!detection) return { push: emit, end: () => undefined };
      const findings = new Findings();
      const redactor = createRedactor(detection, findings);
      const send = (delta: string) => {
        if (delta !== '' && findings.blockedBy === undefined) emit(delta);
      };
      const mayChange = [...detection.actions.values()].some((action) => action !== 'flag');
      let start = '';
      let isJson = mayChange ? undefined : false;
      return {
        push(delta) {
          if (isJson === undefined) {
            start += delta;
            const first = /\S/.exec(start)?.[0];
            if (first === undefined) return;
            isJson = first === '{' || first === '[';
            if (!isJson) send(redactor.push(start));
          } else if (!isJson) send(redactor.push(delta));
        },
        end(answer) {
          if (isJson === false) send(redactor.end());
          else if (start !== '') emit(answer);
        },
      };
    },
  };
}
export type Guards = ReturnType<typeof createGuards>;

/** @throws GuardBlocked */
export function requireAllowed<Value>({ value, blocked }: Guarded<Value>): Value {
  if (blocked) throw blocked;
  return value;
}

async function redactCalls(
  detection: Detection,
  calls: readonly ModelToolCall[],
  findings: Findings,
): Promise<ModelToolCall[]> {
  const redacted: ModelToolCall[] = [];
  for (const { id, name, arguments: args } of calls)
    redacted.push({ id, name, arguments: await redactJsonText(detection, args, findings) });
  return redacted;
}

async function redactAnswer(detection: Detection, answer: ModelAnswer, findings: Findings): Promise<ModelAnswer> {
  const { text, refusal, toolCalls, completion } = answer;
  const named: ModelToolCall[] = [];
  for (const call of toolCalls)
    named.push({
      ...call,
      id: await redactText(detection, call.id, findings),
      name: await redactText(detection, call.name, findings),
    });
  const redacted = {
    text: await redactJsonText(detection, text, findings),
    refusal: refusal === null ? null : await redactText(detection, refusal, findings),
    toolCalls: await redactCalls(detection, named, findings),
  };
  // The same texts in the format of the model's API.
  const choices = await redactValue(detection, completion.choices, new Findings());
  return { ...answer, ...redacted, completion: { ...completion, choices } };
}
