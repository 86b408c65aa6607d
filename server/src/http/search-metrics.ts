import { Gauge, type Registry } from 'prom-client';

/** How the search index fares in OpenSearch. */
export interface SearchFigures {
  readonly status: 'green' | 'yellow' | 'red';
  /** Shards that are served, copies too, and those that are not. */
  readonly shards: { readonly active: number; readonly missing: number };
  readonly rows: number;
  readonly bytes: number;
}

/**
 * Registers the gauges of a search index in OpenSearch; `read` gives null while it cannot be used, and then only `studio_search_up` is
 * there. Every process reports the same state.
 */
export function addSearchMetrics(registry: Registry, read: () => Promise<SearchFigures | null>): void {
  const common = { registers: [registry], aggregator: 'max' as const };
  const gauge = (name: string, help: string, value: (figures: SearchFigures) => number) =>
    new Gauge({
      name,
      help,
      ...common,
      async collect() {
        const figures = await read();
        if (figures === null) this.remove();
        else this.set(value(figures));
      },
    });
  void new Gauge({
    name: 'studio_search_up',
    help: '1 while OpenSearch can be used, 0 while it cannot',
    ...common,
    // The least that any process says.
    aggregator: 'min',
    async collect() {
      this.set((await read()) === null ? 0 : 1);
    },
  });
  void gauge(
    'studio_search_status',
    'Of our indices: 0 green, 1 yellow (copies are missing), 2 red (parts are not served)',
    ({ status }) => ['green', 'yellow', 'red'].indexOf(status),
  );
  void gauge('studio_search_rows', 'Rows of the search index in OpenSearch, each once', ({ rows }) => rows);
  void gauge('studio_search_bytes', 'Bytes of the search index on all nodes, copies too', ({ bytes }) => bytes);
  void new Gauge({
    name: 'studio_search_shards',
    help: 'Shards of the search index, copies too, by state: active, missing',
    labelNames: ['state'],
    ...common,
    async collect() {
      const figures = await read();
      this.reset();
      if (figures !== null)
        for (const state of ['active', 'missing'] as const) this.set({ state }, figures.shards[state]);
    },
  });
}
