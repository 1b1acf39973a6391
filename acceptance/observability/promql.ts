import type { Series } from './scrape.js';

/** Labels that Prometheus adds to every scraped series. */
const TARGET_LABELS = ['instance', 'pod', 'job'];
/** Keywords of PromQL. */
const WORDS = /^(sum|min|max|avg|count|by|and|or|unless|on|without|ignoring|group_left|group_right|offset|bool)$/;

interface Selector {
  name: string;
  matchers: { label: string; operator: string; value: string }[];
}

/** Returns the metrics that an expression selects. */
export function selectorsOf(expression: string): Selector[] {
  const found = expression.matchAll(/(?<![\w$:.])([a-z_:][\w:]*)\s*(\{[^}]*\})?(\s*\()?/gi);
  const bare = [...found].filter(
    ([, name = '', , call]) => !call && !WORDS.test(name) && !isGrouping(expression, name),
  );
  return bare.map(([, name = '', braces = '']) => ({
    name,
    matchers: [...braces.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({
        label,
        operator,
        value,
      }),
    ),
  }));
}

/** Returns the labels by which an expression groups. */
export function groupingsOf(expression: string): string[] {
  return [...expression.matchAll(/\b(?:by|on)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  );
}

/** Returns whether a name in an expression is a number, or a label in `by (…)` or `on (…)`. Such a name is no metric. */
function isGrouping(expression: string, name: string): boolean {
  return groupingsOf(expression).includes(name) || /^\d/.test(name);
}

/**
 * Returns the metrics and labels of an expression that no scraped series has. Without `anyValue`, also returns the label values that no series has.
 */
export function deadParts(expression: string, series: readonly Series[], { anyValue = false } = {}): string[] {
  const text = expression.replaceAll(/"[^"]*"/g, (value) => value.replaceAll('$service', '.+'));
  const selectors = selectorsOf(text.replaceAll(/\[[^\]]*\]/g, ''));
  if (selectors.length === 0) return ['selects nothing'];
  const missing = selectors.flatMap(({ name, matchers }) => {
    const own = series.filter((one) => one.name === name);
    if (own.length === 0) return [name];
    const wanted = anyValue ? own : own.filter((one) => matchers.every((matcher) => matches(one, matcher)));
    const labels = matchers.map(({ label }) => label).filter((label) => !own.some((one) => label in one.labels));
    return [
      ...(wanted.length === 0 ? [`${name}${JSON.stringify(matchers)}`] : []),
      ...labels.map((label) => `${name}{${label}}`),
    ];
  });
  const grouped = groupingsOf(text).filter(
    (label) =>
      !TARGET_LABELS.includes(label) &&
      !selectors.some(({ name }) => series.some((one) => one.name === name && label in one.labels)),
  );
  return [...missing, ...grouped.map((label) => `by (${label})`)];
}

function matches({ labels }: Series, { label, operator, value }: Selector['matchers'][number]): boolean {
  const is = labels[label] ?? '';
  const fits = operator.includes('~') ? new RegExp(`^(?:${value})$`).test(is) : is === value;
  return operator.startsWith('!') ? !fits : fits;
}
