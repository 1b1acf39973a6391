// @ts-check
import { deepEqual, equal, throws } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { createRequire } from 'node:module';
import { decodeNodesLater } from './slim-client.mjs';

const require = createRequire(import.meta.url);
const runtime = readFileSync(require.resolve('@prisma/client/runtime/client'), 'utf8');

/** Input nodes: none; one with two edges, of which the second has every part; one with one edge. No output nodes and roots. */
const GRAPH = Buffer.from([3, 0, 0, 0, 2, 5, 0, 0, 0, 0, 32, 6, 1, 2, 3, 9, 2, 1, 7, 0, 0, 1, 0, 16]);

/** The decoded input nodes of a runtime. @param {string} source */
function nodesOf(source) {
  const [, decoder] = /var (\w+)=class\{#e;#t;#r=0;constructor\(t\)/.exec(source) ?? [];
  const exposed = `${source}\n;globalThis.Decoder = ${decoder};`;
  const context = createContext({ require, module: { exports: {} }, exports: {}, process, Buffer, ...globalsOf() });
  runInContext(exposed, context);
  return runInContext(
    '(graph) => new Decoder({ strings: [], graph }).deserialize().inputNodes',
    context,
  )(GRAPH.toString('base64url'));
}

const globalsOf = () => ({ DataView, TextEncoder, TextDecoder, URL, setTimeout, clearTimeout, performance, crypto });

describe('the bundled Prisma client', () => {
  it('decodes each node as the original client does', () => {
    /** @param {{ edges: object }[]} nodes */
    const edges = (nodes) => JSON.parse(JSON.stringify(nodes.map((node) => node.edges)));
    const [original, later] = [nodesOf(runtime), nodesOf(decodeNodesLater(runtime))];
    equal(original.length, 3);
    deepEqual(edges([...later].toReversed()).toReversed(), edges(original));
    deepEqual(edges(later), edges(original));
  });

  it('is not built from another runtime than the one whose decoder is known', () => {
    throws(() => decodeNodesLater('var decoder = {};'), /adapt tools\/prisma\/slim-client.mjs/);
  });
});
