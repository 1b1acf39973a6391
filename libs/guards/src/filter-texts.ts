import type { ModelMessage } from '@millwright/models';
import type { AskFilter } from './ask-filter.js';
import type { Filter } from './filter.js';
import type { FilterDecision } from './filter-answer.js';
import { findBlocked } from './find-blocked.js';
import type { GuardPoint } from './guard-points.js';
import { replaceTexts } from './json-texts.js';
import { replacementOf, type Finding, type Findings } from './redactor.js';

/** Whether a property name is a single word. Such names are neither sent nor replaced. */
const isWord = (text: string) => /^[A-Za-z_$]{1,40}$/.test(text);
/** Values that have a meaning in the formats of models and schemas. */
const FORMAT = new Set(
  'assistant user system tool function stop length tool_calls content_filter object array string number integer boolean null'.split(
    ' ',
  ),
);
const isFixed = (text: string, isName: boolean) => FORMAT.has(text) || (isName && isWord(text));

async function textsIn(value: unknown): Promise<string[]> {
  const texts = new Set<string>();
  await replaceTexts(value, {
    text(text, isName) {
      if (text.trim() !== '' && !isFixed(text, isName)) texts.add(text);
      return text;
    },
  });
  return [...texts];
}

const replaced = <Value>(value: Value, texts: ReadonlyMap<string, string>): Promise<Value> =>
  replaceTexts(value, { text: (text, isName) => (isFixed(text, isName) ? text : (texts.get(text) ?? text)) });

/**
 * Returns the finding for a decision of a guard. A guard that was changed after its approval blocks even when its
 * setting for failures is to allow: the author of the change must not be able to switch the guard off.
 */
const findingOf = ({ name, on_failure }: Filter, decision: FilterDecision): Finding =>
  decision.decision === 'failed'
    ? {
        ...{ guard: name, count: 1, failure: decision.failure },
        action: decision.failure === 'changed' ? 'block' : on_failure,
      }
    : {
        guard: name,
        action: decision.decision,
        count: decision.decision === 'redact' ? decision.count : 1,
        ...(decision.reason !== undefined && { reason: decision.reason }),
      };

/** Returns the texts of a message about which guards decide. */
export const textsOf = ({ content, tool_calls: calls }: ModelMessage) => ({
  content,
  ...(calls && { tool_calls: calls.map((call) => ({ ...call })) }),
});

/**
 * Returns the message without its texts. The tool calls are kept, but without their arguments, because other messages
 * contain the results of these calls.
 */
const leftOut = <Message extends ModelMessage>(message: Message, guard: string): Message => ({
  ...message,
  content: replacementOf(guard),
  ...(message.tool_calls && { tool_calls: message.tool_calls.map((call) => ({ ...call, arguments: '{}' })) }),
});

/**
 * Whether the decision concerns the texts: a guard blocks them, or they are too long to be checked. Every other failure
 * concerns the guard itself.
 */
const isAboutTexts = (decision: FilterDecision) => decision.decision !== 'failed' || decision.failure === 'too_large';

/** Creates the external guards of one run. Each guard gets the texts as the preceding guard returned them. */
export function createFilters(filters: readonly Filter[], ask: AskFilter | undefined) {
  /** Redacted texts of the run, by the id of the guard and the guard point. */
  const redactions = new Map<string, Map<string, string>>();
  function askFor(...question: Parameters<AskFilter>): ReturnType<AskFilter> {
    if (!ask) throw new Error('external guards cannot be asked here');
    return ask(...question);
  }
  const at = (point: GuardPoint) => filters.filter(({ points }) => points.includes(point));
  function redactionsOf({ id }: Filter, point: GuardPoint): Map<string, string> {
    const key = `${id} ${point}`;
    const known = redactions.get(key) ?? new Map<string, string>();
    redactions.set(key, known);
    return known;
  }

  /**
   * Sends several messages to a guard together. When the guard blocks them, sends parts of them to find the blocked
   * messages.
   */
  async function decideEarlier<Message extends ModelMessage>(
    filter: Filter,
    point: GuardPoint,
    messages: readonly Message[],
    findings: Findings,
  ) {
    let [failed, removed] = [false, 0];
    let reason: string | undefined;
    const isBlocked = async (part: readonly Message[]): Promise<boolean> => {
      const texts = await textsIn(part.map(textsOf));
      const decision = texts.length > 0 && !failed ? await askFor(filter, point, texts) : undefined;
      if (!decision) return failed;
      const finding = findingOf(filter, decision);
      if (decision.decision === 'redact') {
        removed += decision.count;
        const known = redactionsOf(filter, point);
        for (const [text, redacted] of decision.texts) known.set(text, redacted);
      }
      if (finding.action === 'block' && isAboutTexts(decision)) {
        reason ??= finding.reason;
        return true;
      }
      failed ||= finding.action === 'block';
      if (decision.decision !== 'redact') findings.addDecision(finding);
      else reason ??= finding.reason;
      return failed;
    };
    const blocked =
      (await isBlocked(messages)) && !failed ? await findBlocked(messages, isBlocked) : new Set<Message>();
    return { failed, blocked, removed, reason };
  }

  return {
    isActive: (point: GuardPoint): boolean => at(point).length > 0,

    /** Guards the texts of a JSON value, until a guard blocks them. */
    async guard<Value>(point: GuardPoint, value: Value, findings: Findings): Promise<Value> {
      let left = value;
      for (const filter of at(point)) {
        const texts = await textsIn(left);
        const decision = texts.length > 0 ? await askFor(filter, point, texts) : undefined;
        if (!decision) continue;
        const finding = findingOf(filter, decision);
        findings.addDecision(finding);
        if (finding.action === 'block')
          return replaced(left, new Map(texts.map((text) => [text, replacementOf(filter.name)])));
        if (decision.decision !== 'redact') continue;
        const known = redactionsOf(filter, point);
        for (const [text, redacted] of decision.texts) known.set(text, redacted);
        left = await replaced(left, decision.texts);
      }
      return left;
    },

    /**
     * Guards earlier messages. Messages that a guard blocks are left out, so that their conversation can continue. All
     * messages are blocked only when the guard itself fails.
     */
    async guardEarlier<Message extends ModelMessage>(
      point: GuardPoint,
      messages: readonly Message[],
      findings: Findings,
    ): Promise<Message[]> {
      let left = [...messages];
      for (const filter of at(point)) {
        const { failed, blocked, reason, removed } = await decideEarlier(filter, point, left, findings);
        if (failed) return left.map((message) => leftOut(message, filter.name));
        const kept: Message[] = [];
        for (const message of left)
          kept.push(
            blocked.has(message)
              ? leftOut(message, filter.name)
              : { ...message, ...(await replaced(textsOf(message), redactionsOf(filter, point))) },
          );
        left = kept;
        if (blocked.size + removed > 0)
          findings.addDecision({
            ...{ guard: filter.name, action: 'redact', count: removed + blocked.size },
            ...(reason !== undefined && { reason }),
            ...(blocked.size > 0 && { messages_left_out: blocked.size }),
          });
      }
      return left;
    },

    /** Applies the guards' redactions of earlier texts of the run again, without calling the guards. */
    async repeat<Value>(point: GuardPoint, value: Value): Promise<Value> {
      let left = value;
      for (const filter of at(point)) left = await replaced(left, redactionsOf(filter, point));
      return left;
    },
  };
}
