import { Counter, Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createLabelledCounter, createLabelledHistogram } from './labelled.ts';
import { mergeMetrics } from './metrics.ts';

const bounds = [0.1, 1, 10];
const samples = [0.05, 0.1, 0.5, 1, 9, 10, 11] as const;

function filled() {
  const [theirs, ours] = [new Registry(), new Registry()];
  const counter = new Counter({ name: 'c', help: 'counts', labelNames: ['route', 'status'], registers: [theirs] });
  const histogram = new Histogram({
    name: 'h',
    help: 'times',
    labelNames: ['route'],
    buckets: bounds,
    registers: [theirs],
  });
  const ownCounter = createLabelledCounter(ours, { name: 'c', help: 'counts', labels: ['route', 'status'] });
  const ownHistogram = createLabelledHistogram(ours, { name: 'h', help: 'times', labels: ['route'] }, bounds);
  for (const [i, value] of samples.entries()) {
    const route = i % 2 === 0 ? 'chat' : 'a "quoted" \\ name';
    counter.inc({ route, status: '200' }, i);
    ownCounter.add(i, route, 200);
    histogram.observe({ route }, value);
    ownHistogram.observe(value, route);
  }
  return { theirs, ours };
}

it('says what the counters and histograms of prom-client say', async () => {
  const { theirs, ours } = filled();
  expect(await ours.metrics()).toBe(await theirs.metrics());
});

it('is added up over processes in the same way', async () => {
  const { theirs, ours } = filled();
  const merged = (registry: Registry) =>
    registry.getMetricsAsJSON().then((figures) => mergeMetrics([figures, structuredClone(figures)]));
  expect(await merged(ours)).toBe(await merged(theirs));
});
