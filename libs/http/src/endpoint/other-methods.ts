import { AppError } from '@millwright/errors';
import { Router, type RequestHandler } from 'express';

/**
 * Answers 405 with `Allow` to methods without a route, on the paths of `handlers`. Paths that are regular expressions are ignored, because
 * they also match addresses that do not exist.
 */
export function refuseOtherMethods(handlers: readonly RequestHandler[], admit: RequestHandler): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, methods] of methodsByPath(handlers)) {
    const Allow = [...methods].sort().join(', ');
    router.all(
      path,
      (request, _response, next) => next(methods.has(request.method) ? 'router' : undefined),
      admit,
      () => {
        throw new AppError('method_not_allowed', { headers: { Allow } });
      },
    );
  }
  return router;
}

/** Collects the methods of each path from those handlers that are routers. */
function methodsByPath(handlers: readonly RequestHandler[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { route } of handlers.flatMap((handler) => ('stack' in handler ? (handler as Router).stack : []))) {
    if (!route) continue;
    for (const path of [route.path].flat().filter((pattern) => typeof pattern === 'string')) {
      const methods = found.get(path) ?? new Set();
      found.set(path, methods);
      for (const { method } of route.stack) {
        if (!method) continue; // the route itself answers other methods
        methods.add(method.toUpperCase());
        if (method === 'get') methods.add('HEAD');
      }
    }
  }
  return new Map([...found].filter(([, methods]) => methods.size > 0));
}
