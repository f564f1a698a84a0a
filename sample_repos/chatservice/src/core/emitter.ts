export type Listener<T> = (payload: T) => void;
export type Unsubscribe = () => void;

/**
 * Typed events. `Events` maps each event's name to its payload:
 *
 *     const bus = new Emitter<{ joined: User; left: string }>();
 */
export default class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();

  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): Unsubscribe {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener as Listener<never>));
    return () => void listeners.delete(listener as Listener<never>);
  }

  /** Like `on`, for the next event only. */
  once<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): Unsubscribe {
    const off = this.on(name, (payload) => {
      off();
      listener(payload);
    });
    return off;
  }

  /** Call the listeners of one event in the order in which they came. (The `broadcastAll` of version 0 is gone.) */
  emit<Name extends keyof Events>(name: Name, payload: Events[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      (listener as Listener<Events[Name]>)(payload);
    }
  }
}
