/** Milliseconds since 1970. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = {
  now() {
    return Date.now();
  },
};

/** For tests: time stands still until it is moved. */
export class ManualClock implements Clock {
  #time = 0;

  now(): number {
    return this.#time;
  }

  advance(milliseconds: number): void {
    this.#time += milliseconds;
  }
}
