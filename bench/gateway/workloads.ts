import type { EngineMode } from './engine.ts';
import type { Job } from './load.ts';
import { type BodySize, bodySizes, requestBody, responseBody, type StreamText } from './payload.ts';

/** A part of a job that is the same for every contender. */
type JobPlan = Job extends infer J ? (J extends Job ? Omit<J, 'target' | 'bodies' | 'watch'> : never) : never;

/** One thing that is measured, the same way for each contender. */
export interface Workload {
  readonly name: string;
  readonly kind: 'whole' | 'latency' | 'stream' | 'memory';
  readonly mode: EngineMode;
  readonly job: JobPlan;
  readonly bodies: readonly string[];
  /** Times it is run for each contender. */
  readonly repetitions: number;
  /** Whether this service also answers it for a caller whose personal values are guarded. */
  readonly guarded?: boolean;
  /** The same requests in the form of the Responses interface, which this service also answers. */
  readonly responses?: readonly string[];
}

/** Replies of this model carry the thinking as `reasoning_content`; the engine sends `reasoning`. */
export const RENAMED = 'CORE-GOV-THINK';
/** A model without reasoning: nothing has to be renamed. */
export const PLAIN = 'LLM42';
const BODY_VARIANTS = 8;
const CONNECTIONS = 32;
/** Bodies of this size hold personal values. */
const GUARDED: BodySize = '4 kB';

interface LoadProfile {
  readonly repetitions: number;
  readonly warmMs: number;
  readonly wholeMs: number;
  readonly latencyMs: number;
  readonly streamMs: number;
  readonly sizes: readonly BodySize[];
  readonly streamTexts: readonly StreamText[];
  readonly manyStreams: readonly number[];
  readonly openPerSecond: number;
}

export const loadProfiles = {
  full: {
    repetitions: 5,
    // Long enough for the engine's compiler to have seen all of a contender's code.
    warmMs: 3_000,
    wholeMs: 4_000,
    latencyMs: 8_000,
    streamMs: 5_000,
    sizes: ['1.3 kB', '4 kB', '43 kB', '325 kB'],
    streamTexts: ['content', 'reasoning'],
    manyStreams: [2_000, 5_000],
    openPerSecond: 500,
  },
  quick: {
    repetitions: 1,
    warmMs: 500,
    wholeMs: 1_000,
    latencyMs: 2_000,
    streamMs: 1_500,
    sizes: ['1.3 kB', '4 kB', '43 kB'],
    streamTexts: ['reasoning'],
    manyStreams: [500],
    openPerSecond: 500,
  },
  short: {
    repetitions: 3,
    warmMs: 1_500,
    wholeMs: 2_000,
    latencyMs: 2_000,
    streamMs: 2_500,
    sizes: ['1.3 kB', '4 kB', '43 kB', '325 kB'],
    streamTexts: ['content', 'reasoning'],
    manyStreams: [2_000],
    openPerSecond: 500,
  },
} as const satisfies Record<string, LoadProfile>;

function bodies(size: BodySize, model: string, stream: boolean, bodyOf = requestBody): string[] {
  return Array.from({ length: BODY_VARIANTS }, (_, seed) =>
    bodyOf(bodySizes[size], { model, stream, seed, personal: size === GUARDED }).toString('base64'),
  );
}

function wholes({ sizes, repetitions, warmMs, wholeMs }: LoadProfile): Workload[] {
  return sizes.map((size) => ({
    name: `whole reply, ${size} body`,
    kind: 'whole',
    mode: { kind: 'whole' },
    job: { kind: 'closed', connections: CONNECTIONS, warmMs, measureMs: wholeMs },
    bodies: bodies(size, RENAMED, false),
    repetitions,
    guarded: size === GUARDED,
  }));
}

function latency({ repetitions, warmMs, latencyMs }: LoadProfile): Workload {
  return {
    name: 'whole reply, 1.3 kB body, 300 requests/s',
    kind: 'latency',
    mode: { kind: 'whole' },
    job: { kind: 'rate', perSecond: 300, warmMs, measureMs: latencyMs },
    bodies: bodies('1.3 kB', RENAMED, false),
    repetitions,
  };
}

/** 150 streams at 50 tokens a second: what keeps the slowest contender just below one core. */
function paced(text: StreamText, { repetitions, streamMs }: LoadProfile): Workload {
  const count = 150;
  const periodMs = 20;
  const settleMs = 500;
  const openMs = 500;
  return {
    name: text === 'content' ? '150 streams of 50 tokens/s' : '150 streams of 50 tokens/s, key renamed',
    kind: 'stream',
    mode: { kind: 'stream', text, periodMs, tokens: Math.ceil((openMs + settleMs + streamMs) / periodMs) + 50 },
    job: {
      kind: 'streams',
      count,
      tokens: Math.ceil((openMs + settleMs + streamMs) / periodMs) + 50,
      openPerSecond: (count * 1000) / openMs,
      settleMs,
      measureMs: streamMs,
      limitMs: 30_000,
    },
    bodies: bodies('1.3 kB', text === 'content' ? PLAIN : RENAMED, true),
    responses: bodies('1.3 kB', text === 'content' ? PLAIN : RENAMED, true, responseBody),
    repetitions,
  };
}

/** Many slow streams: 5,000 tokens a second in all, each stream long enough to span the opening and the window. */
function many(count: number, { openPerSecond }: LoadProfile): Workload {
  const periodMs = Math.min(1_000, count / 5);
  const settleMs = 3_000;
  const measureMs = 5_000;
  const opening = (count * 1000) / openPerSecond;
  const tokens = Math.ceil((opening + settleMs + measureMs + 3_000) / periodMs);
  return {
    name: `${count.toLocaleString('en-US')} slow streams, key renamed`,
    kind: 'memory',
    mode: { kind: 'stream', text: 'reasoning', periodMs, tokens },
    job: {
      kind: 'streams',
      count,
      tokens,
      openPerSecond,
      settleMs,
      measureMs,
      limitMs: 2 * tokens * periodMs + 20_000,
    },
    bodies: bodies('1.3 kB', RENAMED, true),
    repetitions: 1,
  };
}

/** Everything that is measured, in order. */
export function planWorkloads(effort: LoadProfile): Workload[] {
  return [
    ...wholes(effort),
    latency(effort),
    ...effort.streamTexts.map((text) => paced(text, effort)),
    ...effort.manyStreams.map((count) => many(count, effort)),
  ];
}
