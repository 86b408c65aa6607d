import { AggregatorRegistry, Gauge, Registry, collectDefaultMetrics } from 'prom-client';
import type { TargetState } from '../chat/index.ts';
import type { UsageRow } from '../usage/index.ts';
import { createLabelledCounter, createLabelledHistogram } from './labelled.ts';
import type { Observed } from './observed.ts';

const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The figures of one process as plain data. */
export type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** The figures of several processes as one text for Prometheus. */
export const mergeFigures = (all: readonly Figures[]): Promise<string> =>
  AggregatorRegistry.aggregate([...all]).metrics();

/** Figures for Prometheus. */
export function createMetrics(engines: () => readonly TargetState[]) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
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
    usage({ model, promptTokens, completionTokens }: UsageRow): void {
      tokens.add(promptTokens, model, 'prompt');
      tokens.add(completionTokens, model, 'completion');
    },
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
