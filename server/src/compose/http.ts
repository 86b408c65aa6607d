import { join } from 'node:path';
import { type Connectors, readConnectorFigures } from '../connectors/index.ts';
import type { Console } from '../console/index.ts';
import { createHttp, type Http, type Surfaces } from '../http/index.ts';
import { type KeyRing, personActor } from '../identity/index.ts';
import { readIngestFigures } from '../retrieval/index.ts';
import type { OpenedParts } from './opened.ts';
import type { Base } from './parts.ts';
import type { SearchWatch } from './search-server.ts';

interface Deps extends OpenedParts, Pick<Surfaces, 'files' | 'batches'> {
  readonly keys: KeyRing;
  readonly chat: Surfaces['chat'];
  readonly agentChats: Surfaces['models']['agents'];
  readonly responses: Surfaces['responses'];
  readonly messages: Surfaces['messages'];
  readonly tokens: Surfaces['tokens'];
  readonly a2a: Surfaces['agents'];
  readonly mcp: Surfaces['mcp'];
  readonly console: Console;
  readonly connectors: Connectors;
  readonly search: Pick<SearchWatch, 'figures'>;
  readonly renderMetrics: Surfaces['health']['renderMetrics'];
  readonly description: Surfaces['description'];
  /** Told of the port once requests are accepted. */
  readonly onListening: (port: number) => void;
}

/** What each endpoint works with. */
function surfacesOf({ config: { metrics } }: Base, deps: Deps): Surfaces {
  const { catalogue } = deps.models;
  const { checks, renderMetrics, description } = deps;
  return {
    chat: deps.chat,
    responses: deps.responses,
    messages: deps.messages,
    tokens: deps.tokens,
    files: deps.files,
    batches: deps.batches,
    embeddings: { catalogue },
    rerank: { catalogue },
    privacy: deps.privacy.privacy,
    documents: deps.documents.documents,
    retrieval: deps.retrieval.routes,
    connectors: { connectors: deps.connectors, db: deps.data.db },
    agents: deps.a2a,
    audio: { ...deps.speech, catalogue },
    mcp: deps.mcp,
    models: { catalogue, agents: deps.agentChats },
    description,
    health: { checks, renderMetrics, metricsToken: metrics.token ?? null, serveMetrics: metrics.port === undefined },
  };
}

/** Opens the HTTP interface; requests are accepted from the start on. */
export function openHttp(base: Base, deps: Deps): Http {
  const { config, log, parts } = base;
  const {
    host,
    port,
    json_bytes: maxJsonBytes,
    json_with_images_bytes: maxJsonWithImagesBytes,
    max_lag_ms: maxLagMs,
  } = config.server;
  const { data, keys, calls, engines, agents, console } = deps;
  const { db } = data;
  const { defaultLimits, isLimiterLocal } = deps.limits;
  const { metering } = deps.usage;
  const http = createHttp({
    shared: { keys, calls, defaultLimits, metering, log, maxJsonBytes, maxJsonWithImagesBytes },
    surfaces: surfacesOf(base, deps),
    figures: {
      engines: () => engines.router.states(),
      ingest: () => readIngestFigures(db),
      connectors: () => readConnectorFigures(db),
      runs: agents.figures,
      isLimiterLocal,
      search: deps.search.figures,
    },
    trustProxy: config.server.trust_proxy,
    corsOrigins: config.server.cors_origins,
    maxLagMs,
    console: {
      console,
      personActor: (person) => personActor({ db, defaultLimits }, person),
      folder: join(import.meta.dirname, '../../../console/dist'),
    },
  });
  parts.own('HTTP', http);
  parts.onStart('port', async () => {
    deps.onListening(await http.listen(host, port));
    return null;
  });
  return http;
}
