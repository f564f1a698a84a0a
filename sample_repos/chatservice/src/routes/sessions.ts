import { json, noContent, Router } from "@core";
import type { SessionService } from "@services/session";
import { tokenOf } from "../middleware";
import { stringField } from "./input";

export default function sessionRoutes(sessions: SessionService): Router {
  return new Router()
    .post("/", (request) => {
      const session = sessions.create(stringField(request, "name"));
      return json({ token: session.id }, 201);
    })
    .delete("/", (request) => {
      sessions.revoke(tokenOf(request));
      return noContent();
    });
}
