export interface Inline {
  kind: 'text' | 'code' | 'strong' | 'em';
  text: string;
}

export type Part =
  | { kind: 'text'; content: Inline[] }
  | { kind: 'heading'; content: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Inline[][] };

const FENCE = /^\s*(```+|~~~+)/;
const ITEM = /^\s{0,3}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*)$/;

/** The most common Markdown, parsed line by line, so that a partial text renders correctly. */
export function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  const lines = text.split('\n');
  let paragraph: string[] = [];
  const end = () => {
    if (paragraph.length > 0) parts.push({ kind: 'text', content: inlinesOf(paragraph.join('\n')) });
    paragraph = [];
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      end();
      const from = at + 1;
      for (at = from; at < lines.length && !(lines[at] ?? '').trim().startsWith(fence); at += 1);
      parts.push({ kind: 'code', text: lines.slice(from, at).join('\n') });
      continue;
    }
    const item = ITEM.exec(line);
    const heading = HEADING.exec(line);
    if (item) {
      end();
      addItem(parts, item[1], inlinesOf(item[2] ?? ''));
    } else if (heading) {
      end();
      parts.push({ kind: 'heading', content: inlinesOf(heading[1] ?? '') });
    } else if (line.trim() === '') end();
    else paragraph.push(line);
  }
  end();
  return parts;
}

function addItem(parts: Part[], number: string | undefined, content: Inline[]): void {
  const isOrdered = number !== undefined;
  const last = parts.at(-1);
  if (last?.kind === 'list' && last.isOrdered === isOrdered) last.items.push(content);
  else parts.push({ kind: 'list', isOrdered, start: Number(number ?? 1), items: [content] });
}

const INLINE = /`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<![\w*])\*([^*\s](?:[^*\n]*[^*\s])?)\*(?![\w*])/g;

function inlinesOf(text: string): Inline[] {
  const found: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) found.push({ kind: 'text', text: text.slice(from, match.index) });
    const [whole, code, strong, em] = match;
    found.push({ kind: code ? 'code' : strong ? 'strong' : 'em', text: code ?? strong ?? em ?? '' });
    from = match.index + whole.length;
  }
  if (from < text.length) found.push({ kind: 'text', text: text.slice(from) });
  return found;
}
