import type { ModelAnswer, ModelMessage } from '@millwright/models';
import type { AskFilter } from './ask-filter.js';
import { detectionFor, type Detection } from './detect.js';
import { effectiveFilters } from './filter.js';
import { createFilters, textsOf } from './filter-texts.js';
import { GUARD_POINTS, type GuardPoint } from './guard-points.js';
import { effectivePolicy, type GuardPolicy } from './guard.js';
import { GuardBlocked } from './guard-blocked.js';
import { redactAnswer, redactCalls } from './redact-answer.js';
import { redactJsonText, redactValue } from './redact-json.js';
import { createRedactor, Findings, redactText, type Finding } from './redactor.js';

/** A text or value after redaction. It may be stored, sent and shown, even when the run is blocked. */
export interface Guarded<Value> {
  value: Value;
  /** The reason why the run must end; undefined when it may continue. */
  blocked: GuardBlocked | undefined;
}

/** Receives the findings of one text. */
export type ReportFindings = (point: GuardPoint, findings: readonly Finding[]) => Promise<void> | void;

/** Guards the text of the model while it is streamed. */
export interface GuardedStream {
  push: (delta: string) => void;
  /** Ends the stream. Pass the guarded text of the whole answer, once the run may continue. */
  end: (answer: string) => void;
}

const POINT_OF: Readonly<Record<ModelMessage['role'], GuardPoint | undefined>> = {
  system: undefined,
  user: 'input',
  assistant: 'output',
  tool: 'tools',
};

/**
 * Makes the guards of one run from the policies of its project and its agent. Without policies, texts stay unchanged.
 * Built-in guards come first: external guards get the texts that the built-in guards returned.
 */
export function createGuards(
  policies: readonly GuardPolicy[],
  report: ReportFindings = () => undefined,
  ask?: AskFilter,
) {
  const policy = effectivePolicy(policies);
  const filters = createFilters(effectiveFilters(policies.map((one) => one.filters ?? [])), ask);
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
    /** Calls the external guards. The default calls them for all texts of the value. */
    filter: (redacted: Value, findings: Findings) => Promise<Value> = (redacted, findings) =>
      filters.guard(point, redacted, findings),
  ): Promise<Guarded<Value>> {
    const findings = new Findings();
    const detection = detections.get(point);
    let redacted = detection ? await redact(detection, findings) : value;
    if (!findings.block) redacted = await filter(redacted, findings);
    if (findings.all.length > 0) await report(point, findings.all);
    const { block } = findings;
    return { value: redacted, blocked: block && new GuardBlocked(block.guard, point, block) };
  }

  /**
   * Redacts a stored message. The message may be older than the rules, so a match is redacted rather than blocked, and
   * is not reported again.
   */
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

  /** Calls the external guards for the earlier messages of one point. @throws GuardBlocked when a guard fails */
  async function filterEarlier<Message extends ModelMessage>(
    point: GuardPoint,
    messages: readonly Message[],
  ): Promise<readonly Message[]> {
    if (messages.length === 0 || !filters.isActive(point)) return messages;
    const unchanged = () => Promise.resolve(messages);
    return requireAllowed(
      await guarded(point, messages, unchanged, (_messages, findings) =>
        filters.guardEarlier(point, messages, findings),
      ),
    );
  }

  /**
   * Calls the external guards for those messages of one point that the run answers.
   * @throws GuardBlocked when a guard blocks the messages or fails
   */
  async function filterNewest<Message extends ModelMessage>(
    point: GuardPoint,
    messages: readonly Message[],
  ): Promise<readonly Message[]> {
    if (messages.length === 0 || !filters.isActive(point)) return messages;
    const texts = messages.map(textsOf);
    const left = requireAllowed(await guarded(point, texts, () => Promise.resolve(texts)));
    return messages.map((message, index) => ({ ...message, ...left[index] }));
  }

  return {
    text: (point: GuardPoint, text: string): Promise<Guarded<string>> =>
      guarded(point, text, (detection, findings) => redactText(detection, text, findings)),

    /** Guards a text that may be JSON. */
    json: (point: GuardPoint, text: string): Promise<Guarded<string>> =>
      guarded(point, text, (detection, findings) => redactJsonText(detection, text, findings)),

    /** Guards a JSON value. Returns the same object when no guard finds anything. */
    value: <Value>(point: GuardPoint, value: Value): Promise<Guarded<Value>> =>
      guarded(point, value, (detection, findings) => redactValue(detection, value, findings)),

    /**
     * Calls the external guards for a JSON value. The built-in guards redact the value before that, without reporting
     * findings.
     */
    async asked<Value>(point: GuardPoint, value: Value): Promise<Guarded<Value>> {
      if (!filters.isActive(point)) return { value, blocked: undefined };
      const detection = detections.get(point);
      const redacted = detection ? await redactValue(detection, value, new Findings()) : value;
      return guarded(point, redacted, () => Promise.resolve(redacted));
    },

    /**
     * Redacts a JSON value again by the guards' earlier decisions about texts of the run, without calling external
     * guards.
     */
    async again<Value>(point: GuardPoint, value: Value): Promise<Value> {
      const detection = detections.get(point);
      const redacted = detection ? await redactValue(detection, value, new Findings()) : value;
      return filters.repeat(point, redacted);
    },

    /**
     * Guards the messages that are sent to the model; the rules depend on the author of a message. System messages stay
     * unchanged, because they belong to the agent or prompt. Earlier messages and knowledge that a guard blocks are
     * left out, so that the conversation can continue.
     *
     * @param newest the messages that the run answers: a guard that blocks one of them ends the run
     * @throws GuardBlocked when an external guard blocks one of the newest messages, or fails
     */
    async messages<Message extends ModelMessage>(
      messages: readonly Message[],
      newest: readonly Message[] = [],
    ): Promise<Message[]> {
      const left = new Map<Message, Message>();
      for (const message of messages) left.set(message, { ...message, ...(await stored(message)) });
      const isNewest = new Set(newest);
      const filtered = async (point: GuardPoint, filter: typeof filterNewest, own: readonly Message[]) => {
        const asked = own.filter(({ role }) => POINT_OF[role] === point);
        const kept = await filter(
          point,
          asked.map((message) => left.get(message) ?? message),
        );
        for (const [index, message] of asked.entries()) left.set(message, kept[index] ?? message);
      };
      for (const point of GUARD_POINTS) {
        await filtered(point, filterNewest, newest);
        await filtered(
          point,
          filterEarlier,
          messages.filter((message) => !isNewest.has(message)),
        );
      }
      return messages.map((message) => left.get(message) ?? message);
    },

    /** Guards an answer of the model: its text, its tool calls, and the copy in the format of the model's API. */
    answer: (answer: ModelAnswer): Promise<Guarded<ModelAnswer>> =>
      guarded(
        'output',
        answer,
        (detection, findings) => redactAnswer(detection, answer, findings),
        async (redacted, findings) => {
          const { text, refusal, toolCalls, completion } = redacted;
          const texts = { text, refusal, toolCalls, choices: completion.choices };
          const { choices, ...left } = await filters.guard('output', texts, findings);
          return { ...redacted, ...left, completion: { ...completion, choices } };
        },
      ),

    /**
     * Guards the text of the model while it arrives. Whether the run is blocked is decided later, for the whole answer.
     * JSON is emitted only when it is complete, because guards check its parsed values. An answer about which an
     * external guard must decide is also emitted only when it is complete.
     */
    stream(emit: (delta: string) => void): GuardedStream {
      const detection = detections.get('output');
      if (filters.isActive('output')) return wholeStream(emit);
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

/** Guards a streamed answer as a whole, and emits the answer when it is complete. */
function wholeStream(emit: (delta: string) => void): GuardedStream {
  let isStreamed = false;
  return {
    push(delta) {
      isStreamed ||= delta !== '';
    },
    end(answer) {
      if (isStreamed && answer !== '') emit(answer);
    },
  };
}

/** Returns the guarded value. @throws GuardBlocked when the run must end */
export function requireAllowed<Value>({ value, blocked }: Guarded<Value>): Value {
  if (blocked) throw blocked;
  return value;
}
