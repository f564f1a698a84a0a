export interface Config {
  readonly port: number;
  /** Folder for the journal of messages; without it everything is lost when the service stops. */
  readonly data?: string;
  /** Specifications for `createFilter`, in the order in which the filters run. */
  readonly filters: readonly string[];
  readonly burst: number;
  readonly perSecond: number;
}

export const defaults: Config = { port: 8080, filters: ["calm"], burst: 20, perSecond: 5 };

/** Read the configuration from environment variables such as CHAT_PORT and CHAT_FILTERS ("calm; words: darn"). */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  return {
    ...defaults,
    port: numberFrom(environment.CHAT_PORT, defaults.port),
    data: environment.CHAT_DATA,
    filters: environment.CHAT_FILTERS?.split(";").map((spec) => spec.trim()) ?? defaults.filters,
  };
}

function numberFrom(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return text && Number.isFinite(value) ? value : fallback;
}
