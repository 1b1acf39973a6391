interface Document {
  paths?: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
}

/**
 * Returns the parts of a document that are missing from its reference page. Each operation needs an article with its
 * path and every status.
 */
export function referenceFaults(page: string, document: object): string[] {
  const articles = new Map(
    [...page.matchAll(/<article id="([^"]+)">([^]*?)<\/article>/g)].map(([, id = '', text = '']) => [id, text]),
  );
  const faults: string[] = [];
  for (const [path, operations] of Object.entries((document as Document).paths ?? {})) {
    for (const [method, { operationId, responses }] of Object.entries(operations)) {
      const text = articles.get(operationId) ?? '';
      const due = [
        method.toUpperCase(),
        `<code>${path}</code>`,
        ...Object.keys(responses).map((status) => `<b>${status}</b>`),
      ];
      faults.push(...due.filter((part) => !text.includes(part)).map((part) => `${operationId}: ${part} is missing`));
      articles.delete(operationId);
    }
  }
  return [...faults, ...[...articles.keys()].map((id) => `${id} is not in the document`)];
}
