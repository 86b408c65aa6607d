import { hashText, promptKey } from '../../server/src/inference/routing/affinity.ts';
import type { Candidate } from '../../server/src/inference/routing/target.ts';
import { createTargets } from '../../server/src/inference/routing/targets.ts';
import type { Engine } from '../../server/src/ports/engine.ts';
import { createRandom, type Policy, type SimulatedCall, workload } from './simulation.ts';

/** Processes of the service that calls come to by chance. */
const PROCESSES = 4;
/** How often they tell each other what they have under way; see inference/routing/shared-loads.ts. */
const SHARE_MS = 250;

const urls = Array.from({ length: workload.engines }, (_, at) => `http://10.0.0.${at + 1}:8000/v1`);

const never = () => Promise.reject(new Error('A simulated engine is not asked'));
const engineOf = (at: number): Engine => ({
  id: `e/${at}`,
  kind: 'openai',
  traits: { choices: true, reportsStop: true },
  health: never,
  models: never,
  close: () => Promise.resolve(),
});

/** The choice of the service itself, in several processes that share their counts or do not. `keyOf` is null for the least busy. */
function ofService(name: string, keyOf: ((call: SimulatedCall) => number | null) | null, isShared: boolean): Policy {
  const random = createRandom(7);
  const addresses = urls.map((url, at) => ({ engine: engineOf(at), weight: 1, url }));
  const processes = Array.from({ length: PROCESSES }, () => {
    const targets = createTargets({ engines: new Map([['e', addresses]]), now: () => 0, random });
    return { targets, candidates: targets.of([{ engine: 'e', weight: 1, priority: 0 }], 'm') };
  });
  const open = new Map<SimulatedCall, { readonly process: number; readonly candidate: Candidate }>();
  let sharedMs = 0;
  const share = () => {
    const totals = urls.map((_, at) =>
      processes.reduce((sum, one) => sum + (one.candidates[at]?.target.inFlight ?? 0), 0),
    );
    for (const { candidates } of processes)
      for (const [at, { target }] of candidates.entries()) target.elsewhere = (totals[at] ?? 0) - target.inFlight;
  };
  return {
    name,
    choose(call, nowMs) {
      if (isShared && nowMs - sharedMs >= SHARE_MS) {
        sharedMs = nowMs;
        share();
      }
      const at = Math.floor(random() * PROCESSES);
      const { targets, candidates } = processes[at] as (typeof processes)[number];
      const candidate = targets.pick(candidates, [], keyOf ? () => keyOf(call) : undefined);
      if (!candidate) throw new Error('No engine was picked');
      targets.started(candidate);
      open.set(call, { process: at, candidate });
      return candidates.indexOf(candidate);
    },
    released(_, call) {
      const { process, candidate } = open.get(call) ?? {};
      open.delete(call);
      if (process !== undefined && candidate) processes[process]?.targets.released(candidate);
    },
  };
}

/** Messages of a call as a client would send them: all sessions have one system text, each has its own first question. */
const messagesOf = ({ session, turn }: SimulatedCall) => [
  { role: 'system', content: 'You are the assistant of a public library. Answer briefly and name your sources.' },
  { role: 'user', content: `Question ${session} about a book` },
  ...Array.from({ length: turn }, () => [
    { role: 'assistant', content: 'An answer' },
    { role: 'user', content: 'And then?' },
  ]).flat(),
];

function roundRobin(): Policy {
  let next = 0;
  return { name: 'round robin', choose: () => next++ % workload.engines, released: () => undefined };
}

/**
 * The consistent_hash policy of vLLM Router as published (vllm-project/router, src/policies/consistent_hash.rs, read in November 2026): a ring
 * with 160 places for each worker, the key from the header X-Session-ID, the first place at or after it; the load counts nothing. Its hash
 * function is another one than ours here, which changes who gets what and not how.
 */
function vllmConsistentHash(): Policy {
  const ring = urls
    .flatMap((url, at) => Array.from({ length: 160 }, (_, place) => ({ hash: hashText(`${url}:${place}`), at })))
    .toSorted((a, b) => a.hash - b.hash);
  return {
    name: 'vLLM Router, consistent_hash',
    choose({ session }) {
      const key = hashText(`header:x-session-id:session-${session}`);
      return (ring.find(({ hash }) => hash >= key) ?? ring[0])?.at ?? 0;
    },
    released: () => undefined,
  };
}

/**
 * The cache_aware policy of vLLM Router as published (src/policies/cache_aware.rs, its account of the algorithm, with the defaults of its
 * command line: cache_threshold 0.3, balance_abs_threshold 64, balance_rel_threshold 1.5): while no worker has over 64 calls more than another and 1.5 times as
 * many, the worker whose history shares the longest part of the prompt, where that is more than the threshold, else the one with the smallest
 * history; otherwise the least busy. Here it counts tokens where the original counts characters, in one process, and never forgets.
 */
function vllmCacheAware(): Policy {
  const histories = urls.map(() => new Map<number, number>());
  const sizes = urls.map(() => 0);
  const busy = urls.map(() => 0);
  const indexOfLeast = (numbers: readonly number[]) => numbers.indexOf(Math.min(...numbers));
  const pick = ({ session, promptTokens }: SimulatedCall): number => {
    const [most, least] = [Math.max(...busy), Math.min(...busy)];
    if (most - least > 64 && most > 1.5 * least) return indexOfLeast(busy);
    const shared = histories.map((history) => history.get(session) ?? (history.size > 0 ? workload.systemTokens : 0));
    const best = Math.max(...shared);
    return best / promptTokens > 0.3 ? shared.indexOf(best) : indexOfLeast(sizes);
  };
  return {
    name: 'vLLM Router, cache_aware',
    choose(call) {
      const at = pick(call);
      const { session, promptTokens } = call;
      sizes[at] = (sizes[at] ?? 0) + promptTokens - (histories[at]?.get(session) ?? 0);
      histories[at]?.set(session, promptTokens);
      busy[at] = (busy[at] ?? 0) + 1;
      return at;
    },
    released: (at) => void (busy[at] = (busy[at] ?? 0) - 1),
  };
}

/** All ways of choosing, each with nothing remembered. */
export const policies: readonly (() => Policy)[] = [
  roundRobin,
  () => ofService('least busy, each process by itself', null, false),
  vllmConsistentHash,
  vllmCacheAware,
  () => ofService('AI Studio, by the prompt', (call) => promptKey(messagesOf(call)), true),
  () => ofService('AI Studio, by the session', ({ session }) => hashText(`tenant session-${session}`), true),
];
