import { describeError, NotFound } from "./errors";
import type { Handler, HttpRequest, HttpResponse, Method, Middleware } from "./http";

interface Route {
  method: Method;
  path: string;
  pattern: RegExp;
  handler: Handler;
}

/**
 * Finds the handler for a request.
 *
 * Paths may have named parts: `/rooms/:id`. The first route that fits wins. Errors become responses here, so neither
 * handlers nor servers need to catch any.
 */
export class Router {
  readonly #routes: Route[] = [];
  readonly #middleware: Middleware[] = [];

  /** Run `middleware` around every request; the first one used is the outermost. */
  use(...middleware: Middleware[]): this {
    this.#middleware.push(...middleware);
    return this;
  }

  get(path: string, handler: Handler): this {
    return this.add("GET", path, handler);
  }

  post(path: string, handler: Handler): this {
    return this.add("POST", path, handler);
  }

  delete(path: string, handler: Handler): this {
    return this.add("DELETE", path, handler);
  }

  /** Serve every route of `child` below `prefix`; its middleware runs for its own routes only. */
  mount(prefix: string, child: Router): this {
    for (const route of child.#routes) {
      this.add(route.method, prefix + route.path, compose(child.#middleware, route.handler));
    }
    return this;
  }

  async handle(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await compose(this.#middleware, this.dispatch)(request);
    } catch (error) {
      return describeError(error);
    }
  }

  private readonly dispatch = (request: HttpRequest): HttpResponse | Promise<HttpResponse> => {
    for (const route of this.#routes) {
      const match = route.method === request.method ? route.pattern.exec(request.path) : null;
      if (match) {
        request.params = { ...match.groups };
        return route.handler(request);
      }
    }
    throw new NotFound(request.path);
  };

  private add(method: Method, path: string, handler: Handler): this {
    this.#routes.push({ method, path, pattern: toPattern(path), handler });
    return this;
  }
}

/** One handler out of many middlewares and a last handler. */
export function compose(middleware: readonly Middleware[], last: Handler): Handler {
  function step(index: number, request: HttpRequest): HttpResponse | Promise<HttpResponse> {
    const current = middleware[index];
    return current ? current(request, (changed) => step(index + 1, changed)) : last(request);
  }
  return (request) => step(0, request);
}

function toPattern(path: string): RegExp {
  const source = path.replace(/\/$/, "").replace(/:(\w+)/g, "(?<$1>[^/]+)");
  return new RegExp(`^${source}/?$`);
}
