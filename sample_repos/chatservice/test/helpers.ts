import assert from "node:assert/strict";
import type { HttpRequest, HttpResponse, Method } from "@core";
import { ManualClock } from "@services/clock";
import createApp, { type App } from "../src/app";
import { type Config, defaults } from "../src/config";

/** An app with a clock that tests can move, and a short way to send requests to it. */
export class TestClient {
  token = "";

  private constructor(
    readonly app: App,
    readonly clock: ManualClock,
    readonly log: string[],
  ) {}

  static async start(config: Partial<Config> = {}): Promise<TestClient> {
    const clock = new ManualClock();
    const log: string[] = [];
    const app = await createApp({ config: { ...defaults, ...config }, clock, write: (line) => log.push(line) });
    return new TestClient(app, clock, log);
  }

  async send(method: Method, path: string, body?: unknown): Promise<HttpResponse> {
    const headers = this.token ? { authorization: `Bearer ${this.token}` } : {};
    const request: HttpRequest = { method, path, headers, body, params: {} };
    return this.app.router.handle(request);
  }

  async login(name: string): Promise<void> {
    const response = await this.send("POST", "/sessions", { name });
    assert.equal(response.status, 201);
    this.token = JSON.parse(response.body).token;
  }

  /** Open a room and return its id. */
  async openRoom(name: string): Promise<string> {
    const response = await this.send("POST", "/rooms", { name });
    return JSON.parse(response.body).id;
  }

  async say(roomId: string, text: string): Promise<{ kind: string; text: string }> {
    const response = await this.send("POST", `/rooms/${roomId}/messages`, { text });
    assert.equal(response.status, 201, response.body);
    return JSON.parse(response.body);
  }
}
