import { AggregatorRegistry, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { RunFigures } from '../agents/index.ts';
import type { TargetState } from '../inference/index.ts';
import type { ConnectorFigures } from '../connectors/index.ts';
import type { IngestFigures } from '../retrieval/index.ts';
import type { UsageRow } from '../usage/index.ts';
import { createLabelledCounter, createLabelledHistogram } from './labelled.ts';
import type { RequestLogEntry } from '../http-kit/request-log-entry.ts';
import { addQueueMetrics } from './queue-metrics.ts';
import { addRunMetrics } from './run-metrics.ts';
import { addSearchMetrics, type SearchFigures } from './search-metrics.ts';

const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The figures of one process as plain data. */
export type MetricsSnapshot = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The figures of several processes as one text for Prometheus. */
export const mergeMetrics = (all: readonly MetricsSnapshot[]): Promise<string> =>
  AggregatorRegistry.aggregate([...all]).metrics();

/** Sources of the metrics that are read at a scrape rather than counted by the request. */
export interface MetricSources {
  readonly engines: () => readonly TargetState[];
  /** Metrics of the queue of documents. */
  readonly ingest: () => Promise<IngestFigures>;
  /** Metrics of runs of connectors; none where left out. */
  readonly connectors?: () => Promise<ConnectorFigures>;
  /** Metrics of runs of agents; none where left out. */
  readonly runs?: RunFigures;
  /** Whether rate limits are counted by this machine alone though Redis is to; null or left out where there is none. */
  readonly isLimiterLocal?: (() => boolean) | null;
  /** Figures of the search index in OpenSearch; null or left out where it lies elsewhere. */
  readonly search?: (() => Promise<SearchFigures | null>) | null;
}

/** The figures of the queue of documents. */
const addIngestMetrics = (registry: Registry, read: MetricSources['ingest']): void =>
  addQueueMetrics(registry, {
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

/** The figures of the connectors of collections. */
const addConnectorMetrics = (registry: Registry, read: NonNullable<MetricSources['connectors']>): void =>
  addQueueMetrics(registry, {
    read,
    count: {
      name: 'studio_connector_runs',
      help: 'Runs of connectors, by state: waiting, running; failed: connectors whose last run failed',
      states: ['waiting', 'running', 'failed'],
    },
    oldest: {
      name: 'studio_connector_oldest_seconds',
      help: 'Age of the run of a connector that has waited longest; 0 where none waits',
    },
  });

/** Registered only with Redis: 1 is alarming. Over the processes of a machine the maximum counts. */
function addLimiterFallback(registry: Registry, local: () => boolean): void {
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

/** Creates the metrics for Prometheus. */
export function createMetrics({
  engines,
  ingest,
  connectors,
  runs,
  isLimiterLocal = null,
  search = null,
}: MetricSources) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  addIngestMetrics(registry, ingest);
  if (connectors !== undefined) addConnectorMetrics(registry, connectors);
  if (runs !== undefined) addRunMetrics(registry, runs);
  if (isLimiterLocal !== null) addLimiterFallback(registry, isLimiterLocal);
  if (search !== null) addSearchMetrics(registry, search);
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
  void new Gauge({
    name: 'studio_engine_waiting',
    help: 'Calls that wait for a free place (max_connections)',
    labelNames: ['engine'],
    registers,
    collect() {
      for (const { engine, waiting } of engines()) this.set({ engine }, waiting);
    },
  });
  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    /** The figures as plain data, to be merged with those of other processes. */
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
    request({ route, status, durationMs, firstTokenMs, model }: RequestLogEntry): void {
      requests.add(1, route, status);
      duration.observe(durationMs / 1000, route);
      if (firstTokenMs !== null && model !== null) firstToken.observe(firstTokenMs / 1000, model);
    },
    /** Requests that an overloaded process refused unread. */
    refused(count: number): void {
      requests.add(count, 'overload', '503');
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
