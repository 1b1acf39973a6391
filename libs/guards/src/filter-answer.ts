import { z } from 'zod';
import type { FilterFailure } from './filter.js';
import { replacementOf } from './redactor.js';

/** The decision of an external guard about texts. The reason is a code and quotes no text. */
export type FilterDecision =
  | { decision: 'allow' | 'flag' | 'block'; reason?: string | undefined }
  | {
      decision: 'redact';
      reason?: string | undefined;
      /** The redacted form of each changed text. */
      texts: ReadonlyMap<string, string>;
      /** Number of removed parts of texts. */
      count: number;
    }
  | { decision: 'failed'; failure: FilterFailure };

const Range = z.object({ text: z.int().min(0), start: z.int().min(0), end: z.int().min(1) });
const isVisible = (part: string) => part.trim() !== '';

const Answer = z.object({
  hash: z.string(),
  decision: z.enum(['allow', 'flag', 'redact', 'block']),
  reason: z
    .string()
    .regex(/^[a-z][a-z_]{0,39}$/)
    .optional(),
  spans: z.array(Range).max(2_000).default([]),
  parts: z.array(z.string().min(1).max(10_000).refine(isVisible)).max(100).default([]),
});

interface Span {
  start: number;
  end: number;
}

/** Merges overlapping and adjacent spans. */
function merged(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && start <= last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

/** Extends a span to whole characters at both ends. */
function whole(text: string, { start, end }: Span): Span {
  const isInside = (index: number) => /^[\uDC00-\uDFFF]/.test(text.charAt(index)) && index > 0;
  return { start: isInside(start) ? start - 1 : start, end: isInside(end) ? end + 1 : end };
}

function placesOf(text: string, part: string): Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length))
    places.push({ start: at, end: at + part.length });
  return places;
}

/**
 * Redacts parts of texts. Returns `undefined` when a span is outside of its text, or when no text contains one of the
 * parts.
 */
function redacted(name: string, texts: readonly string[], { spans, parts }: z.output<typeof Answer>) {
  const isOutside = spans.some(({ text, start, end }) => start >= end || end > (texts[text]?.length ?? 0));
  if (isOutside || spans.length + parts.length === 0) return undefined;
  if (!parts.every((part) => texts.some((text) => text.includes(part)))) return undefined;
  const result = new Map<string, string>();
  let count = 0;
  for (const [index, text] of texts.entries()) {
    const own = spans.filter((span) => span.text === index).map((span) => whole(text, span));
    const removed = merged([...own, ...parts.flatMap((part) => placesOf(text, part))]);
    if (removed.length === 0) continue;
    count += removed.length;
    let [kept, place] = ['', 0];
    for (const { start, end } of removed) {
      kept += text.slice(place, start) + replacementOf(name);
      place = end;
    }
    result.set(text, kept + text.slice(place));
  }
  return { texts: result, count };
}

/**
 * Reads the answer of the guard `name` about texts. Returns `invalid` when the answer is malformed or concerns other
 * texts.
 */
export function readFilterAnswer(
  name: string,
  body: string,
  { texts, hash }: { texts: readonly string[]; hash: string },
): FilterDecision {
  const invalid = { decision: 'failed', failure: 'invalid' } as const;
  const { data } = Answer.safeParse(parsed(body));
  if (data?.hash !== hash) return invalid;
  const { decision, reason } = data;
  if (decision !== 'redact') return { decision, reason };
  const result = redacted(name, texts, data);
  return result ? { decision, reason, ...result } : invalid;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
