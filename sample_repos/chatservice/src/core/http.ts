/** What a request and a response are, independent of node:http. */

export type Method = "GET" | "POST" | "DELETE";

export interface HttpRequest {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON, or undefined for an empty body. */
  readonly body: unknown;
  /** The named parts of the path; filled in by the router. */
  params: Record<string, string>;
  /** Filled in by the `authenticate` middleware. */
  userId?: string;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

export type Handler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
export type Middleware = (request: HttpRequest, next: Handler) => HttpResponse | Promise<HttpResponse>;

export function json(data: unknown, status = 200): HttpResponse {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(data) };
}

export function html(markup: string): HttpResponse {
  return { status: 200, headers: { "content-type": "text/html; charset=utf-8" }, body: markup };
}

export const noContent = (): HttpResponse => ({ status: 204, headers: {}, body: "" });

/** A header by name, whatever its case. */
export function header(request: HttpRequest, name: string): string | undefined;
export function header(request: HttpRequest, name: string, fallback: string): string;
export function header(request: HttpRequest, name: string, fallback?: string): string | undefined {
  return request.headers[name.toLowerCase()] ?? fallback;
}
