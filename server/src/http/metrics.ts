import { AggregatorRegistry, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { RunFigures } from '../agents/index.ts';
import type { TargetState } from '../inference/index.ts';
import type { IngestFigures } from '../retrieval/index.ts';
import type { UsageRow } from '../usage/index.ts';
import { createLabelledCounter, createLabelledHistogram } from './labelled.ts';
import type { Observed } from './observed.ts';
import { addQueueFigures } from './queue-figures.ts';
import { addRunFigures } from './run-figures.ts';

const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The figures of one process as plain data. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The figures of several processes as one text for Prometheus. */
export const mergeFigures = (all: readonly Figures[]): Promise<string> =>
  AggregatorRegistry.aggregate([...all]).metrics();

/** What the figures of the queue of documents are read with. */
export type ReadIngestFigures = () => Promise<IngestFigures>;

/** The figures of the queue of documents. */
const addIngestFigures = (registry: Registry, read: ReadIngestFigures): void =>
  addQueueFigures(registry, {
    read,
    count: {
      name: 'studio_ingest_documents',
      help: 'Documents to be taken in, by state: waiting, running, delayed (something is away), failed',
      states: ['waiting', 'running', 'delayed', 'failed'],
    },
    oldest: {
      name: 'studio_ingest_oldest_seconds',
      help: 'Age of the document that has waited longest; 0 where none waits',
    },
  });

/** There only where Redis is to count: what is alarming is a 1. Of several processes of a machine the worst counts. */
function addLimitsLocal(registry: Registry, local: () => boolean): void {
  void new Gauge({
    name: 'studio_rate_limits_local',
    help: '1 while this machine counts rate limits for itself, as Redis cannot be used; 0 while Redis counts',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(local() ? 1 : 0);
    },
  });
}

/** Figures for Prometheus. */
export function createMetrics(
  engines: () => readonly TargetState[],
  readIngest: ReadIngestFigures,
  runs: RunFigures | null,
  limitsLocal: (() => boolean) | null,
) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  addIngestFigures(registry, readIngest);
  if (runs !== null) addRunFigures(registry, runs);
  if (limitsLocal !== null) addLimitsLocal(registry, limitsLocal);
  const requests = createLabelledCounter(registry, {
    name: 'studio_requests_total',
    help: 'Requests answered',
    labels: ['route', 'status'],
  });
  const duration = createLabelledHistogram(
    registry,
    { name: 'studio_request_seconds', help: 'Time to the last byte', labels: ['route'] },
    SECONDS,
  );
  const firstToken = createLabelledHistogram(
    registry,
    { name: 'studio_first_token_seconds', help: 'Time to the first token', labels: ['model'] },
    SECONDS,
  );
  const tokens = createLabelledCounter(registry, {
    name: 'studio_tokens_total',
    help: 'Tokens',
    labels: ['model', 'kind'],
  });
  const audio = createLabelledCounter(registry, {
    name: 'studio_audio_seconds_total',
    help: 'Seconds of sound, heard (in) and made (out)',
    labels: ['model', 'direction'],
  });
  const characters = createLabelledCounter(registry, {
    name: 'studio_spoken_characters_total',
    help: 'Characters of texts that were said',
    labels: ['model'],
  });
  void new Gauge({
    name: 'studio_engine_up',
    help: '1 while the engine takes calls, 0 while it rests after failures',
    labelNames: ['engine'],
    registers,
    collect() {
      for (const { engine, cooling } of engines()) this.set({ engine }, cooling ? 0 : 1);
    },
  });
  void new Gauge({
    name: 'studio_engine_in_flight',
    help: 'Calls under way',
    labelNames: ['engine'],
    registers,
    collect() {
      for (const { engine, inFlight } of engines()) this.set({ engine }, inFlight);
    },
  });
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    /** The figures as plain data, to be merged with those of other processes. */
    figures: (): Promise<Figures> => registry.getMetricsAsJSON(),
    request({ route, status, durationMs, firstTokenMs, model }: Observed): void {
      requests.add(1, route, status);
      duration.observe(durationMs / 1000, route);
      if (firstTokenMs !== null && model !== null) firstToken.observe(firstTokenMs / 1000, model);
    },
    usage({ model, promptTokens, completionTokens, audioInMs, audioOutMs, characters: said }: UsageRow): void {
      tokens.add(promptTokens, model, 'prompt');
      tokens.add(completionTokens, model, 'completion');
      if (audioInMs !== undefined) audio.add(audioInMs / 1000, model, 'in');
      if (audioOutMs !== undefined) audio.add(audioOutMs / 1000, model, 'out');
      if (said !== undefined) characters.add(said, model);
    },
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
