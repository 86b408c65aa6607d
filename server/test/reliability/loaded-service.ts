import { utimesSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeScriptedModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { chain, databaseOf, firstTenant, makeAgent } from '../support/a2a.ts';
import { administratorEnv } from '../support/administrator-env.ts';
import { signInAdministrator } from '../support/administrator.ts';
import { makeCollection } from '../support/retrieval.ts';
import { freePort, type Service, type ServiceOptions, startService, temporaryFolder } from '../support/service.ts';
import type { Database } from '../../src/ports/database.ts';
import type { EmbeddedPostgres } from '../../src/adapters/embedded/postgres/index.ts';
import { openDatabase } from '../../src/adapters/postgres/index.ts';
import { eventually } from '../support/eventually.ts';
import { silent } from '../support/postgres.ts';
import { openUpstream, play, type Upstream } from '../support/upstream.ts';
import { answerOfRun, BACKGROUND_MODEL, type Ledger, type LoadTarget, openLedger, putLoad } from './loads.ts';

/** A service under every kind of load, which outlives its processes. */
export interface LoadedService {
  /** The process of now. */
  service(): Service;
  readonly ledger: Ledger;
  readonly target: LoadTarget;
  /** Opens its database; the caller closes it. */
  database(): Promise<Database>;
  /** Calls that reached the model server, by model. */
  readonly arrived: ReadonlyMap<string, number>;
  /** Has chats name the model of the next round. */
  nextRound(): void;
  /** Starts it anew after its process has ended. */
  restart(): Promise<void>;
  /** Resolves once every loop has stopped. */
  endLoad(): Promise<void>;
  close(): Promise<void>;
}

export interface LoadedServiceOptions {
  /** Chats of each round name a model of their own, by which they are counted. */
  readonly rounds: number;
  /** Whether a model of this machine answers, too. */
  readonly localModel: boolean;
  readonly workers: number;
  /** A database that the service is told of, in place of its own. */
  readonly connection?: EmbeddedPostgres['connection'];
}

/** The address of a database behind a socket. Source: PostgreSQL, "Connection URIs". */
const urlOf = ({ user, password, database, host, port }: EmbeddedPostgres['connection']) =>
  `postgres://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;

const LOCAL = 'tiny';
const roundModel = (round: number) => `round-${round}`;

/** Repeats what an agent asks, and counts who asks. */
function answerAll(upstream: Upstream): ReadonlyMap<string, number> {
  const arrived = new Map<string, number>();
  upstream.plays((call) => {
    const { messages } = call.json;
    const model = call.json.model ?? '';
    arrived.set(model, (arrived.get(model) ?? 0) + 1);
    const asked = messages.at(-1)?.content;
    const echoes = model === 'AGENT' || model === BACKGROUND_MODEL;
    const text = echoes && typeof asked === 'string' ? answerOfRun(asked) : 'a few words';
    return play({ text: text.match(/.{1,4}/g) ?? [] })(call);
  });
  return arrived;
}

const agent = chain(
  { id: 'input', kind: 'input' },
  { id: 'model', kind: 'model', model: 'AGENT' },
  { id: 'answer', kind: 'answer', text: '{{model.text}}' },
);

async function makeThings(service: Service, open: () => Promise<Database>) {
  const db = await open();
  try {
    const { slug } = await makeAgent(db, await firstTenant(db), agent);
    const { collection_id: collection } = await makeCollection(service, { visibility: 'tenant' });
    return { slug, collection };
  } finally {
    await db.close();
  }
}

/** Starts the service and puts the load on it. `close` ends both and removes what they kept. */
export async function openLoadedService(options: LoadedServiceOptions): Promise<LoadedService> {
  const { rounds, localModel, workers, connection } = options;
  const models = [
    'AGENT',
    BACKGROUND_MODEL,
    'TALK',
    ...Array.from({ length: rounds }, (_, round) => roundModel(round)),
  ];
  const upstream = await openUpstream(models);
  const arrived = answerAll(upstream);
  const dataFolder = await temporaryFolder();
  await mkdir(join(dataFolder, 'models'));
  if (localModel) {
    const file = writeScriptedModel(join(dataFolder, 'models', `${LOCAL}.gguf`), {
      routes: { plain: '첫째, 둘째 그리고 끝.' },
    });
    // A file that was written a moment ago may still be written to, and is not taken yet.
    utimesSync(file, new Date(0), new Date(0));
  }
  const given: ServiceOptions = {
    dataFolder,
    port: await freePort(),
    env: { ...administratorEnv, ...(connection ? { STUDIO_DATABASE_URL: urlOf(connection) } : {}) },
    config: {
      server: { workers },
      documents: { processes: 1 },
      engines: { fake: { kind: 'openai', addresses: [upstream.url] } },
      models: Object.fromEntries(models.map((id) => [id, { engines: [{ engine: 'fake' }] }])),
      limits: { requests_per_minute: null, tokens_per_minute: null },
      probe: { enabled: false },
      // Less than a loop of the load waits for an answer: silence of the model server would be an answer's failure.
      timeouts: { first_token_ms: 20_000, between_tokens_ms: 20_000 },
    },
  };
  let service = await startService(given);
  const database = () =>
    connection ? openDatabase({ connection, log: silent, poolSize: 2 }) : eventually(() => databaseOf(service));
  let round = 0;
  const stop = new AbortController();
  const target: LoadTarget = {
    caller: { base: service.base, key: service.key },
    session: await signInAdministrator(service),
    ...(await makeThings(service, database)),
    chatModel: () => roundModel(round),
    localModel: localModel ? LOCAL : null,
    ledger: openLedger(),
    stop: stop.signal,
  };
  const load = putLoad(target);
  const endLoad = async () => {
    stop.abort();
    await load;
  };
  return {
    service: () => service,
    ledger: target.ledger,
    target,
    arrived,
    database,
    nextRound: () => void round++,
    async restart() {
      service = await startService(given);
    },
    endLoad,
    async close() {
      await endLoad();
      await service.close();
      await upstream.close();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
