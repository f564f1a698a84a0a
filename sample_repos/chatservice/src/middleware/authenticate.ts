import { header, type HttpRequest, type Middleware, Unauthorized } from "@core";
import type { SessionService } from "@services/session";

/** Lets a request through only with a valid session, and writes the user into it. */
export function authenticate(sessions: SessionService): Middleware {
  return (request, next) => {
    const session = sessions.validate(tokenOf(request));
    request.userId = session.userId;
    return next(request);
  };
}

/** The token of `Authorization: Bearer <token>`. */
export function tokenOf(request: HttpRequest): string {
  const [scheme, token] = header(request, "Authorization", "").split(" ");
  if (scheme !== "Bearer" || !token) {
    throw new Unauthorized();
  }
  return token;
}
