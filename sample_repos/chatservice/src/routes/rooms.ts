import { html, type HttpRequest, type HttpResponse, json, Router, Unauthorized } from "@core";
import type { User } from "@models";
import type { MessageService } from "@services/messages";
import type { Presence } from "@services/presence";
import type { RoomService } from "@services/rooms";
import type { Store } from "../stores";
import { h, renderToString } from "../views/h";
import RoomPage from "../views/RoomPage";
import { pathPart, stringField } from "./input";

export class RoomRoutes {
  constructor(
    private readonly rooms: RoomService,
    private readonly messages: MessageService,
    private readonly presence: Presence,
    private readonly users: Store<User>,
  ) {}

  router(): Router {
    return new Router()
      .get("/", this.list)
      .post("/", this.create)
      .get("/:id", this.page)
      .get("/:id/messages", this.read)
      .post("/:id/messages", this.post);
  }

  private readonly list = (): HttpResponse => json(this.rooms.list());

  private readonly create = (request: HttpRequest): HttpResponse =>
    json(this.rooms.create(stringField(request, "name")), 201);

  private readonly page = (request: HttpRequest): HttpResponse => {
    const room = this.rooms.join(pathPart(request, "id"), userOf(request));
    const page = h(RoomPage, {
      room,
      messages: this.messages.latest(room.id),
      present: this.presence.inRoom(room.id),
      nameOf: this.nameOf,
    });
    return html("<!doctype html>" + renderToString(page));
  };

  private readonly read = (request: HttpRequest): HttpResponse =>
    json(this.messages.latest(this.rooms.get(pathPart(request, "id")).id));

  private readonly post = (request: HttpRequest): HttpResponse => {
    const message = this.messages.post(pathPart(request, "id"), userOf(request), stringField(request, "text"));
    return json(message, 201);
  };

  private readonly nameOf = (userId: string): string => this.users.get(userId)?.name ?? "somebody";
}

function userOf(request: HttpRequest): string {
  if (!request.userId) {
    throw new Unauthorized();
  }
  return request.userId;
}

/** @deprecated Rooms have pages of their own since version 1.1. */
export function legacyRoomIndex(rooms: RoomService): HttpResponse {
  const names = rooms.list().map((room) => room.name);
  return html(names.join("<br>"));
}
