import { header, LruCache, type Middleware, TooManyRequests } from "@core";
import type { Clock } from "@services/clock";

/** Holds up to `size` tokens and gains `perSecond` of them; each request takes one. */
class TokenBucket {
  #tokens: number;
  #filledAt: number;

  constructor(
    private readonly size: number,
    private readonly perSecond: number,
    private readonly clock: Clock,
  ) {
    this.#tokens = size;
    this.#filledAt = clock.now();
  }

  /** Take a token. Returns the seconds to wait when there is none, else 0. */
  take(): number {
    this.refill();
    if (this.#tokens < 1) {
      return Math.ceil((1 - this.#tokens) / this.perSecond);
    }
    this.#tokens -= 1;
    return 0;
  }

  private refill(): void {
    const now = this.clock.now();
    this.#tokens = Math.min(this.size, this.#tokens + ((now - this.#filledAt) / 1000) * this.perSecond);
    this.#filledAt = now;
  }
}

export interface LimitOptions {
  burst: number;
  perSecond: number;
  clock: Clock;
}

/** Refuse clients that ask too often; clients are told apart by their address. */
export default function limit({ burst, perSecond, clock }: LimitOptions): Middleware {
  const buckets = new LruCache<string, TokenBucket>(10_000);
  const newBucket = () => new TokenBucket(burst, perSecond, clock);
  return (request, next) => {
    const client = header(request, "X-Forwarded-For", "unknown");
    const wait = buckets.getOrMake(client, newBucket).take();
    if (wait > 0) {
      throw new TooManyRequests(wait);
    }
    return next(request);
  };
}
