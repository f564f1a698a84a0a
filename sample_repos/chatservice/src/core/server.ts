import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { BadRequest, describeError } from "./errors";
import type { HttpRequest, HttpResponse, Method } from "./http";
import type { Router } from "./router";

const MAX_BODY = 64 * 1024;

/** Joins a router to node:http. */
export class NodeServer {
  readonly #server = createServer((incoming, outgoing) => void this.serve(incoming, outgoing));

  constructor(private readonly router: Router) {}

  listen(port: number): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, resolve));
  }

  close(): void {
    this.#server.close();
  }

  private async serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let response: HttpResponse;
    try {
      response = await this.router.handle(await toRequest(incoming));
    } catch (error) {
      response = describeError(error);
    }
    outgoing.writeHead(response.status, response.headers).end(response.body);
  }
}

async function toRequest(incoming: IncomingMessage): Promise<HttpRequest> {
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
  const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
  return { method: incoming.method as Method, path: pathname, headers, body: await readJson(incoming), params: {} };
}

async function readJson(incoming: AsyncIterable<Buffer>): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming) {
    size += part.length;
    if (size > MAX_BODY) {
      throw new BadRequest("the body is too large");
    }
    parts.push(part);
  }
  if (size === 0) {
    return undefined;
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf-8"));
  } catch {
    throw new BadRequest("the body is not JSON");
  }
}
