// @ts-check
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Matches a relative import, an export from another file, or an `import()`, and captures the path. */
const RELATIVE = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Returns the relative imports of each source, including imports of types. @param {string} folder @returns {Map<string, string[]>} */
export function readImports(folder) {
  const sources = globSync('{apps,libs,acceptance}/**/*.{ts,tsx}', {
    cwd: folder,
    exclude: (path) => /(^|\/)(node_modules|dist|generated)$/.test(path),
  });
  const known = new Set(sources);
  return new Map(
    sources.map((source) => {
      const imports = [...readFileSync(join(folder, source), 'utf8').matchAll(RELATIVE)].flatMap(([, name = '']) => {
        const path = join(dirname(source), name).replace(/\.js$/, '');
        return [`${path}.ts`, `${path}.tsx`].filter((candidate) => known.has(candidate));
      });
      return [source, imports];
    }),
  );
}

/** Returns whether a file is only used by tests. Such a file may import every file of its package. @param {string} path */
const isTestFile = (path) => /(^|\/)test-|\.test\.tsx?$/.test(path);

/**
 * Returns the circles of files that import each other and, within each folder, the circles of its files and subfolders.
 *
 * @param {ReadonlyMap<string, readonly string[]>} imports by file
 * @returns {string[][]} the members of each circle, sorted
 */
export function findCircles(imports) {
  const circles = components(imports);
  for (const folder of foldersOf(imports.keys())) {
    /** @type {Map<string, string[]>} */
    const graph = new Map();
    for (const [from, targets] of imports) {
      const entry = entryIn(folder, from);
      if (entry === undefined || isTestFile(from)) continue;
      const others = targets.map((target) => entryIn(folder, target)).filter((other) => other !== undefined);
      graph.set(entry, [...(graph.get(entry) ?? []), ...others.filter((other) => other !== entry)]);
    }
    circles.push(...components(graph).filter((members) => members.some((member) => !/\.tsx?$/.test(member))));
  }
  return circles;
}

/**
 * Returns the file or folder, directly in `folder`, that contains the path; undefined when the path is outside of `folder`.
 *
 * @param {string} folder
 * @param {string} path
 */
function entryIn(folder, path) {
  const [first = '', ...rest] = relative(folder, path).split('/');
  if (first === '..') return undefined;
  return join(folder, first) + (rest.length > 0 ? '/' : '');
}

/** Returns all folders below the folder of a package. @param {Iterable<string>} files */
function foldersOf(files) {
  const folders = new Set();
  for (const file of files)
    for (let folder = dirname(file); folder.split('/').length > 2; folder = dirname(folder)) folders.add(folder);
  return /** @type {Set<string>} */ (folders);
}

/**
 * Returns the strongly connected components of more than one member (Tarjan, "Depth-first search and linear graph algorithms", 1972).
 *
 * @param {ReadonlyMap<string, readonly string[]>} graph
 */
function components(graph) {
  /** @type {Map<string, { index: number, low: number, isOpen: boolean }>} */
  const visited = new Map();
  /** @type {string[]} */
  const open = [];
  /** @type {string[][]} */
  const found = [];

  /** @param {string} node */
  function visit(node) {
    const state = { index: visited.size, low: visited.size, isOpen: true };
    visited.set(node, state);
    open.push(node);
    for (const target of graph.get(node) ?? []) {
      const other = visited.get(target) ?? visit(target);
      if (other.isOpen) state.low = Math.min(state.low, other.low);
    }
    if (state.low === state.index) {
      const members = open.splice(open.indexOf(node));
      for (const member of members) /** @type {{ isOpen: boolean }} */ (visited.get(member)).isOpen = false;
      if (members.length > 1) found.push(members.sort());
    }
    return state;
  }

  for (const node of graph.keys()) if (!visited.has(node)) visit(node);
  return found;
}
