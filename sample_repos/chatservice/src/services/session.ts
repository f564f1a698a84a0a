import { randomUUID } from "node:crypto";
import { Emitter, SessionExpired, traced, Unauthorized } from "@core";
import type { ChatEvents, Session, User } from "@models";
import type { BaseStore } from "../stores";
import type { Clock } from "./clock";

const IDLE_LIMIT = 30 * 60 * 1000;
const SWEEP_INTERVAL = 60 * 1000;

/**
 * Logging in and out.
 *
 * A session that nobody used for half an hour is over. `validate` notices when its token is shown again; `sweep` finds
 * the ones that never come back.
 */
export class SessionService {
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sessions: BaseStore<Session>,
    private readonly users: BaseStore<User>,
    private readonly events: Emitter<ChatEvents>,
    private readonly clock: Clock,
  ) {}

  /** Log in under a name; the first login makes the user. */
  @traced
  create(name: string): Session {
    const user = this.findUser(name) ?? this.addUser(name);
    const session: Session = { id: randomUUID(), userId: user.id, lastSeen: this.clock.now() };
    this.sessions.put(session);
    return session;
  }

  /** The session with this token, or an error that tells the client to log in. */
  validate(token: string): Session {
    const session = this.sessions.get(token);
    if (!session) {
      throw new Unauthorized();
    }
    if (this.isExpired(session)) {
      this.end(session, true);
      throw new SessionExpired("the session has expired");
    }
    session.lastSeen = this.clock.now();
    return session;
  }

  revoke(token: string): void {
    const session = this.sessions.get(token);
    if (session) {
      this.end(session, false);
    }
  }

  /** End expired sessions every minute until `stop` is called. */
  start(): void {
    this.#timer = setInterval(this.sweep, SWEEP_INTERVAL);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  readonly sweep = (): void => {
    for (const session of [...this.sessions.where((candidate) => this.isExpired(candidate))]) {
      this.end(session, true);
    }
  };

  private isExpired(session: Session): boolean {
    return this.clock.now() - session.lastSeen > IDLE_LIMIT;
  }

  private end(session: Session, expired: boolean): void {
    this.sessions.delete(session.id);
    this.events.emit("loggedOut", { userId: session.userId, expired });
  }

  private findUser(name: string): User | undefined {
    const [user] = this.users.where((candidate) => candidate.name === name);
    return user;
  }

  private addUser(name: string): User {
    const user: User = { id: randomUUID(), name };
    this.users.put(user);
    return user;
  }
}
