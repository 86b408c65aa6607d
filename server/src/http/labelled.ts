import type { Metric, Registry } from 'prom-client';

// Counts that are added to with every request, in the form in which a prom-client registry asks for them. prom-client's
// own counters make a text of the labels with every call, and keep it sorted: more work than the rest of a measurement.

interface Described {
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

interface Value {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly metricName?: string;
}

/** Values of labels to what is counted for them, in the order of the labels. */
class ByLabels<T> {
  readonly #make: () => T;
  readonly #entries: { readonly values: readonly (string | number)[]; readonly counted: T }[] = [];

  constructor(make: () => T) {
    this.#make = make;
  }

  /** Of at most two labels. There are few combinations, and those in use stand first. */
  of(first: string | number, second?: string | number): T {
    for (const { values, counted } of this.#entries) if (values[0] === first && values[1] === second) return counted;
    const counted = this.#make();
    this.#entries.push({ values: second === undefined ? [first] : [first, second], counted });
    return counted;
  }

  /** Each combination, with its labels by name. */
  named(names: readonly string[]): { readonly labels: Record<string, string | number>; readonly counted: T }[] {
    return this.#entries.map(({ values, counted }) => ({
      labels: Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])),
      counted,
    }));
  }
}

/** What a registry takes for a metric. Source: prom-client, `Registry.getMetricsAsJSON` and `getMetricsAsString`. */
const register = (registry: Registry, metric: object) => registry.registerMetric(metric as Metric);

export interface LabelledCounter {
  /** Adds to the count of these labels. */
  add(amount: number, first: string | number, second?: string | number): void;
}

/** A counter of one or two labels. */
export function createLabelledCounter(registry: Registry, { name, help, labels }: Described): LabelledCounter {
  const counts = new ByLabels(() => ({ sum: 0 }));
  const values = (): Value[] =>
    counts.named(labels).map((found) => ({ value: found.counted.sum, labels: found.labels }));
  register(registry, {
    name,
    get: () => Promise.resolve({ name, help, type: 'counter', values: values(), aggregator: 'sum' }),
  });
  return {
    add(amount, first, second) {
      counts.of(first, second).sum += amount;
    },
  };
}

export interface LabelledHistogram {
  observe(value: number, first: string | number): void;
}

/** A histogram of one label; `bounds` ascend. */
export function createLabelledHistogram(
  registry: Registry,
  { name, help, labels }: Described,
  bounds: readonly number[],
): LabelledHistogram {
  const counts = new ByLabels(() => ({ sum: 0, counts: bounds.map(() => 0), beyond: 0 }));
  const values = (): Value[] =>
    counts.named(labels).flatMap(({ labels: own, counted }) => {
      let total = 0;
      const buckets = bounds.map((le, i) => {
        total += counted.counts[i] ?? 0;
        return { metricName: `${name}_bucket`, labels: { le, ...own }, value: total };
      });
      const all = total + counted.beyond;
      return [
        ...buckets,
        { metricName: `${name}_bucket`, labels: { le: '+Inf', ...own }, value: all },
        { metricName: `${name}_sum`, labels: own, value: counted.sum },
        { metricName: `${name}_count`, labels: own, value: all },
      ];
    });
  register(registry, {
    name,
    get: () => Promise.resolve({ name, help, type: 'histogram', values: values(), aggregator: 'sum' }),
  });
  return {
    observe(value, first) {
      const found = counts.of(first);
      found.sum += value;
      let i = 0;
      while (i < bounds.length && value > (bounds[i] ?? 0)) i++;
      if (i < bounds.length) found.counts[i] = (found.counts[i] ?? 0) + 1;
      else found.beyond++;
    },
  };
}
