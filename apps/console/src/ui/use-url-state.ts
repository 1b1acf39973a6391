import { useSearchParams } from 'react-router';

/** Keeps a list's filters and page in the address, so that they survive a reload and Back restores the earlier filters. */
export function useUrlState<const Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams();
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;
  const page = Math.max(1, Math.trunc(Number(params.get('page'))) || 1);
  /** Changes values in the address. With `isTyping`, replaces the history entry, so that Back does not undo single letters. */
  function set(changes: Partial<Record<Name | 'page', string | number | null>>, { isTyping = false } = {}): void {
    // Reads the address itself, because two changes may happen before the next render, and the second change must not undo the first.
    const next = new URLSearchParams(window.location.search);
    if (!('page' in changes)) next.delete('page');
    for (const [name, value] of Object.entries(changes)) {
      const text = String(value ?? '');
      if (text === '' || (name === 'page' && text === '1')) next.delete(name);
      else next.set(name, text);
    }
    setParams(next, { replace: isTyping, preventScrollReset: true });
  }
  return { values, page, set };
}
