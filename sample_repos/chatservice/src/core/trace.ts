export interface Span {
  readonly name: string;
  readonly milliseconds: number;
}

type Sink = (span: Span) => void;

let sink: Sink | undefined;

/** Where the spans of traced methods go; undefined switches tracing off. */
export function setSink(next: Sink | undefined): void {
  sink = next;
}

/** Method decorator: report how long each call takes. */
export function traced<This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
  context: ClassMethodDecoratorContext<This>,
) {
  function timed(this: This, ...args: Args): Result {
    const start = performance.now();
    try {
      return method.apply(this, args);
    } finally {
      sink?.({ name: String(context.name), milliseconds: performance.now() - start });
    }
  }
  return timed;
}
