import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { changeAliases, fits, shownAliases, type Alias } from './opensearch-aliases.ts';
import { find, matches, Refused, type Query, type Source } from './opensearch-query.ts';

/**
 * A fake of OpenSearch: the REST calls by which the search index uses it, with answers as version 3.5.0 gives them, in the memory of one
 * process. It shows what was refreshed, refuses what Lucene refuses, and fails as it is told to.
 */
export interface FakeOpenSearch {
  readonly url: string;
  /** Names of the indices that are there. */
  indices(): readonly string[];
  /** The index behind an alias. */
  behind(alias: string): string;
  /** Takes an index away. */
  remove(index: string): void;
  /** As if the files of an index could not be read any more; or, with `away`, as if the node with them had left. */
  breakShards(index: string, how: 'corrupt' | 'away'): void;
  repairShards(index: string): void;
  /** Answers the next requests that it fits with a status. */
  failNext(times: number, status: number, fits?: (method: string, path: string) => boolean): void;
  /** Has no room for the next rows of bulk requests. */
  refuseRows(times: number): void;
  /** How full it says that it is: its bound of shards, and its disk in per cent. */
  fill(maxShards: number, diskPercent: number): void;
  /** Requests so far, as `METHOD path`. */
  readonly requests: string[];
  /** What the server says that it is. */
  version: { distribution: string; number: string };
  close(): Promise<void>;
}

interface Index {
  aliases: Readonly<Record<string, Alias>>;
  readonly settings: Query;
  mappings: Query;
  readonly rows: Map<string, Source>;
  /** How often each row was written. */
  readonly versions: Map<string, number>;
  /** What searches see. */
  seen: ReadonlyMap<string, Source>;
  broken: 'corrupt' | 'away' | null;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const error = (status: number, type: string, reason: string): Answer => ({
  status,
  body: { error: { root_cause: [{ type, reason }], type, reason }, status },
});
const missing = (name: string) => error(404, 'index_not_found_exception', `no such index [${name}]`);
const allFailed = () => ({
  status: 503,
  body: {
    error: { root_cause: [], type: 'search_phase_execution_exception', reason: 'all shards failed', failed_shards: [] },
    status: 503,
  },
});

/** Source: Lucene, IndexWriter.MAX_TERM_LENGTH; OpenSearch, limit of `_id`. */
const [MAX_TERM, MAX_ID] = [32_766, 512];

/** Why a row is refused; null where it is not. */
function complaint(id: string, source: Source, { _meta: { dimension }, properties }: Query): string | null {
  if (Buffer.byteLength(id) > MAX_ID) return `id is too long, must be no longer than ${MAX_ID} bytes`;
  const unknown = Object.keys(source).find((field) => !Object.hasOwn(properties, field));
  if (unknown !== undefined) return `mapping set to strict, dynamic introduction of [${unknown}] is not allowed`;
  const { vector, document_id: document = '', terms = [], stems = [], facts = [] } = source;
  if (vector !== undefined && vector.length !== dimension) return 'Vector dimension mismatch';
  if (vector?.every((value) => value === 0) === true) return 'zero vector is not supported when space type is cosine';
  const long = [document, ...terms, ...stems, ...facts].some((value) => Buffer.byteLength(value) > MAX_TERM);
  return long ? 'immense term' : null;
}

/** A query without its condition on the number of the write, and which numbers that lets through. */
function withoutVersions(query: Query): { readonly query: Query; readonly isMeant: (version: number) => boolean } {
  const filter = query['bool']?.filter as readonly Query[] | undefined;
  const since = filter?.find((one) => one['range']?._seq_no !== undefined);
  if (filter === undefined || since === undefined) return { query, isMeant: () => true };
  const { gt = -1, lte = Infinity } = since['range']._seq_no;
  const rest = filter.filter((one) => one !== since);
  return { query: { bool: { filter: rest } }, isMeant: (version) => version > gt && version <= lte };
}

const rowIdOf = ({ source }: { readonly source: Source }): Buffer => Buffer.from(String(source['row_id']));

/** Starts one; with certificates it is spoken to over TLS alone. */
export async function startFakeOpenSearch(tls?: ServerOptions): Promise<FakeOpenSearch> {
  const indices = new Map<string, Index>();
  const scrolls = new Map<string, { readonly hits: readonly unknown[]; readonly size: number }>();
  const requests: string[] = [];
  /** By their paths; every repository but the one that is called `absent` is there. */
  const snapshots = new Map<string, Map<string, Index>>();
  const state = {
    fail: 0,
    status: 500,
    fits: (_method: string, _path: string) => true,
    refuse: 0,
    scrolls: 0,
    writes: 0,
    maxShards: 1_000,
    diskPercent: 20,
  };
  const version = { distribution: 'opensearch', number: '3.5.0' };

  /** The index of a name, and which of its rows are seen by that name. */
  const resolve = (name: string): readonly [string, Index, Query | undefined] | null => {
    const exact = indices.get(name);
    if (exact !== undefined) return [name, exact, undefined];
    const found = [...indices].find(([, { aliases }]) => Object.hasOwn(aliases, name));
    return found === undefined ? null : [...found, found[1].aliases[name]?.filter];
  };
  const put = (index: Index, id: string, source: Source | undefined): void => {
    if (source === undefined) index.rows.delete(id);
    else index.rows.set(id, source);
    index.versions.set(id, ++state.writes);
  };
  const shownRow = ({ versions }: Index, id: string) => ({ _id: id, _seq_no: versions.get(id), _primary_term: 1 });

  function putIndex(name: string, body: Query): Answer {
    if (indices.has(name)) return error(400, 'resource_already_exists_exception', `index [${name}/x] already exists`);
    const { aliases = {}, settings = {}, mappings = {} } = body;
    indices.set(name, {
      aliases,
      settings,
      mappings,
      rows: new Map(),
      versions: new Map(),
      seen: new Map(),
      broken: null,
    });
    return ok({ acknowledged: true, shards_acknowledged: true, index: name });
  }

  function bulk(target: string, lines: readonly Query[]): Answer {
    const found = resolve(target);
    const items: object[] = [];
    for (let at = 0; at < lines.length; at++) {
      const [[kind, { _id: id, if_seq_no: expected }] = ['', { _id: '' }]] = Object.entries(lines[at] ?? {});
      const source = kind === 'index' ? (lines[++at] as Source) : undefined;
      const fail = (status: number, type: string, reason: string) =>
        items.push({ [kind]: { _index: found?.[0] ?? target, _id: id, status, error: { type, reason } } });
      if (found === null || found[0] === target)
        fail(404, 'index_not_found_exception', `no such index [${target}] and [require_alias] request flag is [true]`);
      else if (found[1].aliases[target]?.is_write_index === false)
        fail(
          400,
          'illegal_argument_exception',
          'The write index may be explicitly disabled using is_write_index=false',
        );
      else if (found[1].broken !== null) fail(503, 'unavailable_shards_exception', 'primary shard is not active');
      else if (state.refuse > 0) {
        state.refuse--;
        fail(429, 'rejected_execution_exception', 'rejected execution of coordinating operation');
      } else {
        const { rows, mappings } = found[1];
        const why = source === undefined ? null : complaint(id, source, mappings);
        if (why !== null) fail(400, 'mapper_parsing_exception', why);
        else if (expected !== undefined && found[1].versions.get(id) !== expected)
          fail(409, 'version_conflict_engine_exception', 'required seqNo');
        else {
          const known = rows.has(id);
          put(found[1], id, source);
          const status = source === undefined ? (known ? 200 : 404) : known ? 200 : 201;
          items.push({ [kind]: { _index: found[0], _id: id, status } });
        }
      }
    }
    return ok({ took: 1, errors: items.some((item) => 'error' in (Object.values(item)[0] as object)), items });
  }

  const page = (id: string | undefined, hits: readonly unknown[]): Answer =>
    ok({
      ...(id === undefined ? {} : { _scroll_id: id }),
      took: 1,
      timed_out: false,
      _shards: { failed: 0 },
      hits: { hits },
    });

  function search(index: Index, filter: Query | undefined, body: Query, scrolls_: boolean): Answer {
    const { seen } = index;
    if (body['aggs'] !== undefined) {
      const names = new Set([...seen.values()].flatMap(({ table }) => (typeof table === 'string' ? [table] : [])));
      return ok({ aggregations: { tables: { buckets: [...names].map((key) => ({ key })) } } });
    }
    const size = body['size'] ?? 10;
    const fields = body['docvalue_fields'] as readonly string[] | undefined;
    const { query, isMeant } = withoutVersions(body['query'] ?? { match_all: {} });
    const newer = new Map([...seen].filter(([id]) => isMeant(index.versions.get(id) ?? 0)));
    const order = (body['sort'] as readonly unknown[] | undefined)?.some((one) => typeof one === 'object') === true;
    const rows = find(newer, query, scrolls_ || filter ? Infinity : size)
      .toSorted((a, b) => (order ? Buffer.compare(rowIdOf(a), rowIdOf(b)) : 0))
      .filter(({ source }) => filter === undefined || matches(filter, source))
      .slice(0, scrolls_ ? Infinity : size);
    const hits = rows.map(({ id, source, score }) => ({
      ...shownRow(index, id),
      _score: score,
      ...(order ? { sort: [source['row_id']] } : {}),
      ...(body['_source'] === false ? {} : { _source: source }),
      ...(fields === undefined ? {} : { fields: Object.fromEntries(fields.map((name) => [name, [source[name]]])) }),
    }));
    if (!scrolls_) return page(undefined, hits);
    const id = `scroll-${++state.scrolls}`;
    scrolls.set(id, { hits: hits.slice(size), size });
    return page(id, hits.slice(0, size));
  }

  function scroll(id: string): Answer {
    const rest = scrolls.get(id);
    if (rest === undefined) return error(404, 'search_context_missing_exception', 'No search context found');
    // The real one gives another name now and then, and this one always: only the latest holds.
    scrolls.delete(id);
    const next = `scroll-${++state.scrolls}`;
    scrolls.set(next, { ...rest, hits: rest.hits.slice(rest.size) });
    return page(next, rest.hits.slice(0, rest.size));
  }

  /** The shards of an index, and what has become of one that nobody serves. */
  function cluster(path: string, body: Query): Answer {
    const [, name = ''] = /^\/_cluster\/health\/(.+)$/.exec(path) ?? [];
    if (name.endsWith('*') || path === '/_cluster/health') {
      const all = [...indices].filter(([index]) => index.startsWith(name.slice(0, -1)));
      const states = all.map(([index, { broken }]) => [
        index,
        {
          status: broken === null ? 'green' : 'red',
          number_of_shards: 1,
          active_primary_shards: broken === null ? 1 : 0,
        },
      ]);
      const active = all.filter(([, { broken }]) => broken === null).length;
      const status = active === all.length ? 'green' : 'red';
      const counts = { active_primary_shards: active, active_shards: active, number_of_data_nodes: 1 };
      return ok({ status, ...counts, indices: Object.fromEntries(states) });
    }
    if (name !== '') {
      const found = resolve(name);
      if (found === null) return { status: 404, body: { status: 'red', timed_out: true } };
      const active = found[1].broken === null;
      const shards = { 0: { status: active ? 'green' : 'red', primary_active: active } };
      return ok({ status: active ? 'green' : 'red', indices: { [found[0]]: { shards } } });
    }
    if (path === '/_cluster/settings')
      return ok({
        persistent: {},
        transient: {},
        defaults: {
          cluster: {
            max_shards_per_node: String(state.maxShards),
            routing: { allocation: { disk: { watermark: { low: '85%', high: '90%', flood_stage: '95%' } } } },
          },
        },
      });
    const broken = indices.get(body['index'])?.broken ?? null;
    if (broken === null) return error(400, 'illegal_argument_exception', 'unable to find any unassigned shards');
    const corrupt = { in_sync: true, store_exception: { type: 'corrupt_index_exception', reason: 'failed engine' } };
    return ok({
      current_state: 'unassigned',
      can_allocate: 'no_valid_shard_copy',
      unassigned_info: { reason: broken === 'corrupt' ? 'ALLOCATION_FAILED' : 'NODE_LEFT' },
      node_allocation_decisions: [{ store: broken === 'corrupt' ? corrupt : { found: false } }],
    });
  }

  function ofIndex(method: string, target: string, call: string, params: URLSearchParams, sent: string): Answer {
    const body = call === '_bulk' || sent === '' ? {} : (JSON.parse(sent) as Query);
    if (call === '' && method === 'PUT') return putIndex(target, body);
    if (call === '_bulk') {
      if (!params.has('require_alias')) throw new Error('a bulk request without require_alias');
      return bulk(
        target,
        sent
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Query),
      );
    }
    if (call === '_stats/docs') {
      const shard = {
        routing: { primary: true },
        seq_no: { global_checkpoint: state.writes, max_seq_no: state.writes },
      };
      const figures = [...indices]
        .filter(([name]) => fits(target, name))
        .map(([name, { seen, settings }]) => {
          const numbers = Array.from({ length: settings['index']?.number_of_shards ?? 1 }, (_, at) => [at, [shard]]);
          return [name, { primaries: { docs: { count: seen.size } }, shards: Object.fromEntries(numbers) }];
        });
      return ok({ indices: Object.fromEntries(figures) });
    }
    if (call === '_count' && target.endsWith('*')) {
      const rows = [...indices.values()].flatMap(({ aliases, seen }) => {
        const own = Object.entries(aliases).filter(([alias]) => fits(target, alias));
        return [...seen.values()].filter((source) =>
          own.some(([, { filter }]) => filter === undefined || matches(filter, source)),
        );
      });
      return ok({ count: rows.length, _shards: { failed: 0 } });
    }
    if (call.startsWith('_stats/')) {
      const one = resolve(target);
      if (one === null && !target.endsWith('*')) return missing(target);
      const all = [...indices].filter(([name]) => fits(target, name) || name === one?.[0]).map(([, { seen }]) => seen);
      const count = all.reduce((sum, { size }) => sum + size, 0);
      const size = all.reduce((sum, rows) => sum + JSON.stringify([...rows]).length, 0);
      const figures = { docs: { count, deleted: 0 }, store: { size_in_bytes: size } };
      return ok({ _all: { primaries: figures, total: figures } });
    }
    if (call === '_alias' || (call === '' && target.endsWith('*'))) {
      const all = [...indices].filter(([name]) => fits(target, name) || resolve(target)?.[0] === name);
      if (all.length === 0 && !target.endsWith('*')) return missing(target);
      const settings = { index: { creation_date: String(Date.now()) } };
      return ok(
        Object.fromEntries(
          all.map(([name, { aliases, mappings }]) => [name, { aliases: shownAliases(aliases), settings, mappings }]),
        ),
      );
    }
    const found = resolve(target);
    if (call === '' && method === 'DELETE') {
      for (const name of indices.keys()) if (name === target) indices.delete(name);
      return found === null && !params.has('ignore_unavailable') ? missing(target) : ok({ acknowledged: true });
    }
    if (found === null) return missing(target);
    const [name, index, filter] = found;
    if (call === '') {
      const { aliases, mappings, settings } = index;
      return ok({ [name]: { aliases: shownAliases(aliases), mappings, settings } });
    }
    if (call === '_mapping') {
      index.mappings = { ...index.mappings, ...body };
      return ok({ acknowledged: true });
    }
    if (index.broken !== null)
      return call === '_refresh' ? ok({ _shards: { total: 1, successful: 0, failed: 1 } }) : allFailed();
    if (call === '_refresh') {
      index.seen = new Map(index.rows);
      return ok({ _shards: { total: 1, successful: 1, failed: 0 } });
    }
    if (call === '_search') return search(index, filter, body, params.has('scroll'));
    if (call === '_mget') {
      const docs = (body['ids'] as readonly string[]).map((id) => ({ id, source: index.rows.get(id) }));
      return ok({
        docs: docs.map(({ id, source }) => ({ ...shownRow(index, id), found: source !== undefined, _source: source })),
      });
    }
    const own = [...index.seen].filter(([, source]) => filter === undefined || matches(filter, source));
    if (call === '_count') {
      const counted = own.filter(([, source]) => body['query'] === undefined || matches(body['query'], source));
      return ok({ count: counted.length, _shards: { failed: 0 } });
    }
    if (call === '_forcemerge') return ok({ _shards: { failed: 0 } });
    if (call === '_delete_by_query') {
      const gone = own.filter(([, source]) => matches(body['query'], source));
      for (const [id] of gone) put(index, id, undefined);
      return ok({ deleted: gone.length, version_conflicts: 0, failures: [] });
    }
    const [, kind, id = ''] = /^(_create|_doc)\/(.+)$/.exec(call) ?? [];
    if (kind === '_create' && index.rows.has(id)) return error(409, 'version_conflict_engine_exception', 'exists');
    if (kind === '_create') put(index, id, body as Source);
    else if (kind === '_doc' && method === 'DELETE') put(index, id, undefined);
    else if (kind === '_doc') return ok({ found: index.rows.has(id), _source: index.rows.get(id) });
    if (kind !== undefined) return ok({ _id: id });
    return error(400, 'illegal_argument_exception', `no handler for [${method} ${target}/${call}]`);
  }

  function snapshot(method: string, path: string, body: Query): Answer {
    const [, repository = '', place = '', call = ''] = /^\/_snapshot\/([^/]+)\/([^/]+)(\/_restore)?$/.exec(path) ?? [];
    if (repository === 'absent') return error(404, 'repository_missing_exception', '[absent] missing');
    if (method === 'PUT') {
      const own = [...indices].filter(([name]) => fits(body['indices'], name));
      snapshots.set(place, new Map(own.map(([name, index]) => [name, { ...index, rows: new Map(index.rows) }])));
      return ok({ accepted: true });
    }
    const found = snapshots.get(place);
    if (found === undefined) return error(404, 'snapshot_missing_exception', `[${place}] is missing`);
    if (method === 'GET') return ok({ snapshots: [{ snapshot: place, state: 'SUCCESS' }] });
    if (method === 'DELETE') snapshots.delete(place);
    if (call === '') return ok({ acknowledged: true });
    for (const [name, index] of found) indices.set(name, { ...index, rows: new Map(index.rows), seen: index.rows });
    return ok({ accepted: true });
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method = '', url: given = '' } = request;
    const { pathname, searchParams } = new URL(given, 'http://fake');
    const path = decodeURIComponent(pathname);
    const sent = await text(request);
    requests.push(`${method} ${path}`);
    if (state.fail > 0 && state.fits(method, path)) {
      state.fail--;
      return error(state.status, 'fake_exception', 'told to fail');
    }
    if (path === '/') return ok({ name: 'fake', cluster_name: 'fake', version });
    if (path === '/_search/scroll') {
      const { scroll_id: id } = JSON.parse(sent) as { readonly scroll_id: string };
      if (method !== 'DELETE') return scroll(id);
      scrolls.delete(id);
      return ok({ succeeded: true });
    }
    if (path.startsWith('/_snapshot/')) return snapshot(method, path, sent === '' ? {} : (JSON.parse(sent) as Query));
    if (path === '/_cat/allocation') {
      const free = 100_000 * (100 - state.diskPercent);
      const disk = { 'disk.avail': String(free), 'disk.total': '10000000' };
      const none = { 'disk.avail': null, 'disk.total': null };
      return ok([
        { node: 'Node 1', shards: String(indices.size), ...disk },
        { node: 'UNASSIGNED', shards: '1', ...none },
      ]);
    }
    if (path.startsWith('/_cluster/')) return cluster(path, sent === '' ? {} : (JSON.parse(sent) as Query));
    if (path === '/_aliases') {
      const refused = changeAliases(indices, (JSON.parse(sent) as Query)['actions']);
      if (refused === null) return ok({ acknowledged: true });
      return error(
        refused[0],
        refused[0] === 404 ? 'aliases_not_found_exception' : 'illegal_state_exception',
        refused[1],
      );
    }
    if (path.startsWith('/_alias/')) {
      const pattern = path.slice('/_alias/'.length);
      const found = [...indices].flatMap(([name, { aliases }]) => {
        const own = shownAliases(aliases, (alias) => fits(pattern, alias));
        return Object.keys(own).length === 0 ? [] : [[name, { aliases: own }] as const];
      });
      if (found.length > 0 || pattern.endsWith('*')) return ok(Object.fromEntries(found));
      return { status: 404, body: { error: `alias [${pattern}] missing`, status: 404 } };
    }
    const [, target = '', call = ''] = /^\/([^/]+)(?:\/(.*))?$/.exec(path) ?? [];
    return ofIndex(method, target, call, searchParams, sent);
  }

  const listener: RequestListener = (request, response) => {
    answer(request)
      .catch((failure: unknown) =>
        failure instanceof Refused
          ? error(400, 'search_phase_execution_exception', failure.message)
          : error(500, 'fake_failure', String(failure)),
      )
      .then(
        ({ status, body }) => {
          response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body));
        },
        () => response.destroy(),
      );
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve_) => server.listen(0, '127.0.0.1', resolve_));
  const { port } = server.address() as AddressInfo;

  const change = (name: string, broken: Index['broken']) => {
    const index = indices.get(name);
    if (index !== undefined) index.broken = broken;
  };
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    indices: () => [...indices.keys()],
    behind: (alias) => resolve(alias)?.[0] ?? '',
    remove: (index) => void indices.delete(index),
    breakShards: change,
    repairShards: (index) => change(index, null),
    failNext: (times, status, fits = () => true) => void Object.assign(state, { fail: times, status, fits }),
    refuseRows: (times) => void Object.assign(state, { refuse: times }),
    fill: (maxShards, diskPercent) => void Object.assign(state, { maxShards, diskPercent }),
    requests,
    version,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
