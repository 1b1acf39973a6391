// @ts-check
import { QueryCompiler as Compiler } from '@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs';

export * from '@prisma/client/runtime/query_compiler_small_bg.postgresql.mjs';

/** Limit of the stored plans. A query with values in its text has a separate plan for each value, so the number of plans would grow without limit. */
const MOST_PLANS = 5_000;

/** @type {Map<string, Compiler>} */
const compilers = new Map();

/**
 * Prisma's query compiler, shared by the clients of a worker. Without sharing, each of the hundreds of clients that tests create would read the
 * schema and compile every query again. A compiler has no state, so equal queries have equal plans.
 *
 * @param {ConstructorParameters<typeof Compiler>[0]} options
 */
export function QueryCompiler(options) {
  const key = JSON.stringify(options);
  const compiler = compilers.get(key) ?? shared(new Compiler(options));
  compilers.set(key, compiler);
  return compiler;
}

/** @param {Compiler} compiler */
function shared(compiler) {
  /** @type {Map<string, unknown>} */
  const plans = new Map();
  const compile = compiler.compile.bind(compiler);
  /** @param {string} query */
  compiler.compile = (query) => {
    const known = plans.get(query);
    if (known !== undefined) return known;
    const plan = compile(query);
    if (plans.size === MOST_PLANS) plans.clear();
    plans.set(query, plan);
    return plan;
  };
  // A client frees its compiler when it is closed, but other clients still use this one.
  compiler.free = () => undefined;
  return compiler;
}
