/** A number of an exact law: the nearest double, and the fraction where the arithmetic is rational. */
export interface Quantity { value: number; exact: string | null }
/** A number of a simulation, with its standard error and 95 % interval. */
export interface Estimate { mean: number; stderr: number; ci95: [number, number] }

/** What exact() and simulate() share; the texts are those of `speclab list pairs` and `speclab list verifiers`. */
export interface Question {
  pair: string | string[];
  verifier?: string | string[];
  /** A number, a range such as "1:12" or "1:8:2", or "inf". */
  gamma: number | string | (number | string)[];
  horizon?: number;
  iterations?: number;
  law?: boolean;
  variance?: boolean;
  latency?: string;
  maxMemory?: number | string;
}
export interface ExactQuestion extends Question {
  verifier: string | string[];
  arithmetic?: "rational" | "double";
  longRun?: boolean;
  maxPaths?: number | string;
}
export interface SimulateQuestion extends Question {
  trials?: number | string;
  seed?: number | string;
  estimator?: "plain" | "conditional";
  compare?: string;
}

/** The law of one pair, verifier and gamma: see docs/formats.md for every field. */
export interface Result<Q> {
  pair: string;
  verifier: string;
  gamma: number | null;
  iteration: { expected_accepted: Q; tail: Q[]; accepted_law: Q[]; [more: string]: unknown };
  iterations?: { expected_tokens: Q[]; [more: string]: unknown };
  output?: { horizon: number; tv_to_target: Q; [more: string]: unknown };
  predictions: Record<string, unknown>[];
  [more: string]: unknown;
}
export interface Results<Q> { schema: number; results: Result<Q>[] }

export interface Answer { code: number; out: string; err: string }
/** The program refused: its own message; code 2 command line, 3 bad input, 4 a limit, 70 a fault of the program. */
export class SpeclabError extends Error { code: number }

/** `speclab exact`. @throws SpeclabError */
export function exact(question: ExactQuestion): Promise<Results<Quantity>>;
/** `speclab simulate`: the result depends on the seed and the number of trials alone. @throws SpeclabError */
export function simulate(question: SimulateQuestion): Promise<Results<Estimate>>;
/** `speclab list WHAT`: its rows. @throws SpeclabError */
export function list(what: string, options?: { paper?: string; command?: string }): Promise<Record<string, unknown>[]>;
/** Any command line of exact, simulate, verify and list: what it prints. */
export function run(words: (string | number)[]): Promise<Answer>;
