import type { ModelAnswer, ModelToolCall } from '@millwright/models';
import type { Detection } from './detect.js';
import { redactJsonText, redactValue } from './redact-json.js';
import { Findings, redactText } from './redactor.js';

/** Redacts the arguments of tool calls. */
export async function redactCalls(
  detection: Detection,
  calls: readonly ModelToolCall[],
  findings: Findings,
): Promise<ModelToolCall[]> {
  const redacted: ModelToolCall[] = [];
  for (const { id, name, arguments: args } of calls)
    redacted.push({ id, name, arguments: await redactJsonText(detection, args, findings) });
  return redacted;
}

/** Redacts an answer of the model: its text, its tool calls, and the copy in the format of the model's API. */
export async function redactAnswer(
  detection: Detection,
  answer: ModelAnswer,
  findings: Findings,
): Promise<ModelAnswer> {
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
  // Redacts the texts again in the copy that has the format of the model's API.
  const choices = await redactValue(detection, completion.choices, new Findings());
  return { ...answer, ...redacted, completion: { ...completion, choices } };
}
