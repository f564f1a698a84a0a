import type { HttpRequest, HttpResponse, Middleware } from "@core";

export type Write = (line: string) => void;

/** One line for each request that got an answer. */
export const logRequests =
  (write: Write): Middleware =>
  async (request, next) => {
    const response = await next(request);
    write(formatLine(request, response));
    return response;
  };

const formatLine = (request: HttpRequest, response: HttpResponse): string =>
  `${request.method} ${request.path} ${response.status}`;
