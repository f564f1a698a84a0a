import { json, type HttpResponse } from "./http";

/** An error that the client may know about. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = new.target.name;
  }

  toResponse(): HttpResponse {
    return json({ error: this.message }, this.status);
  }
}

export class BadRequest extends HttpError {
  constructor(message: string) {
    super(400, message);
  }
}

export class Unauthorized extends HttpError {
  constructor(message = "log in first") {
    super(401, message);
  }

  override toResponse(): HttpResponse {
    const response = super.toResponse();
    return { ...response, headers: { ...response.headers, "www-authenticate": "Bearer" } };
  }
}

export class SessionExpired extends Unauthorized {}

export class NotFound extends HttpError {
  constructor(what: string) {
    super(404, `${what} not found`);
  }
}

export class TooManyRequests extends HttpError {
  constructor(readonly retryAfter: number) {
    super(429, `try again in ${retryAfter} s`);
  }
}

/** Any thrown value as a response. What we did not throw on purpose stays secret. */
export function describeError(error: unknown): HttpResponse {
  if (error instanceof HttpError) {
    return error.toResponse();
  }
  return json({ error: "internal error" }, 500);
}
