import { closeEngines, createEngines, openConnected } from '../../compose/engines.ts';
import type { EngineAddress } from '../../inference/index.ts';
import type { LoadedConfig } from '../../config/index.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';
import { isBuiltinOnly } from '../../models/first-choice.ts';
import type { EmbeddedLength } from '../../retrieval/index.ts';
import { hasModel, probeEngine, type EngineReport } from '../models.ts';
import { callsUnderWay, engineAddresses } from '../engine-addresses.ts';
import { commandLog } from '../with-database.ts';
import { checkLengths } from './context-lengths.ts';
import { checkEmbedder } from './embedders.ts';
import { ok, warn, type Finding } from './finding.ts';
import type { StoredModels } from './stored.ts';

const abbreviate = (names: readonly string[]) =>
  `${names.slice(0, 5).join(', ')}${names.length > 5 ? `, … (${names.length})` : ''}`;

function findingOf(report: EngineReport, wanted: readonly string[]): Finding {
  const subject = `Engine ${report.id}`;
  if (report.problem !== null) {
    return warn(
      subject,
      report.problem,
      'Start that server, or mend its address under engines. Models bound to it answer 503 until then.',
    );
  }
  const names = report.models.map(({ name }) => name);
  const missing = wanted.filter((name) => !hasModel(report, name));
  if (missing.length === 0) return ok(subject, `answers; has ${abbreviate(names) || 'models it does not list'}`);
  return warn(
    subject,
    `answers, but has no ${abbreviate(missing)}; it has ${abbreviate(names)}`,
    'Name one of those under models.ID.engines[].model.',
  );
}

/** A model as an engine has it. */
interface Bound {
  readonly id: string;
  readonly kind: CatalogueModel['kind'];
  /** The engine's own name of it. */
  readonly model: string;
  readonly entry: CatalogueModel;
}

const boundTo = (engine: string, models: readonly CatalogueModel[]): Bound[] =>
  models.flatMap((entry) =>
    entry.engines
      .filter((one) => one.engine === engine)
      .map(({ model = entry.id }) => ({ id: entry.id, kind: entry.kind, model, entry })),
  );

interface CheckedAddress {
  readonly report: EngineReport;
  readonly findings: readonly Finding[];
}

async function checkAddress(
  { engine }: EngineAddress,
  bound: readonly Bound[],
  { timeoutMs, lengths }: { readonly timeoutMs: number; readonly lengths: readonly EmbeddedLength[] },
): Promise<CheckedAddress> {
  const report = await probeEngine(engine);
  const embedders = Map.groupBy(
    bound.filter(({ kind, model }) => kind === 'embedding' && report.problem === null && hasModel(report, model)),
    ({ model }) => model,
  );
  const asked = await Promise.all(
    [...embedders].map(([model, by]) =>
      checkEmbedder({
        engine,
        model,
        timeoutMs,
        entries: by.map(({ entry }) => entry),
        filled: lengths.filter(({ model: id }) => by.some((one) => one.id === id)),
      }),
    ),
  );
  return { report, findings: [findingOf(report, [...new Set(bound.map(({ model }) => model))]), ...asked.flat()] };
}

function unboundFindings(names: readonly string[], models: readonly CatalogueModel[]): Finding[] {
  return names
    .filter((name) => boundTo(name, models).length === 0)
    .map((name) =>
      warn(
        `Engine ${name}`,
        'no model is bound to it',
        `Bind one: models: {CORE-GOV: {engines: [{engine: ${name}, model: NAME}]}}`,
      ),
    );
}

/** Connected servers that cannot be asked. */
const problemFindings = ({ servers }: StoredModels): Finding[] =>
  servers.flatMap(({ name, problem }) =>
    problem === null ? [] : [warn(`Engine ${name}`, problem, 'Mend or remove it in the console, under Models.')],
  );

/** Addresses that get no new calls. */
async function drainFindings(config: LoadedConfig['config'], { servers, drains }: StoredModels): Promise<Finding[]> {
  const drained = engineAddresses(config, servers).flatMap((address) => {
    const since = drains.find(({ engine, url }) => engine === address.engine && url === address.url)?.since;
    return since === undefined ? [] : [{ ...address, since }];
  });
  if (drained.length === 0) return [];
  const calls = await callsUnderWay(config);
  return drained.map(({ id, url, since }) => {
    const busy = calls?.get(id) ?? null;
    const left = busy === null ? '' : `; ${busy} ${busy === 1 ? 'call' : 'calls'} under way there`;
    return warn(
      `Engine ${id}`,
      `${url} is drained since ${since.slice(0, 16).replace('T', ' ')} (UTC): it gets no new calls${left}`,
      `"studio engines return ${id}" puts it back to work.`,
    );
  });
}

/**
 * Whether the engines of the configuration and of the console answer, have what the models are bound to, and make vectors that can be used
 * and fit what they filled. `models` are all that are served.
 */
export async function checkEngines(
  { config }: LoadedConfig,
  models: readonly CatalogueModel[],
  stored: StoredModels,
): Promise<Finding[]> {
  const log = commandLog();
  const configured = createEngines({ config, log });
  const open = openConnected(config, log);
  const connected = new Map(
    stored.servers.filter(({ problem }) => problem === null).map((server) => [server.name, open(server)]),
  );
  const engines = new Map([...configured, ...connected]);
  const how = { timeoutMs: config.retrieval.query_timeout_ms, lengths: stored.lengths };
  try {
    const external = [...engines].filter(([name]) => name !== 'builtin');
    const checked = await Promise.all(
      external.map(async ([name, addresses]) => {
        const bound = boundTo(name, models);
        return { name, addresses: await Promise.all(addresses.map((address) => checkAddress(address, bound, how))) };
      }),
    );
    const reports = new Map(checked.map(({ name, addresses }) => [name, addresses.map(({ report }) => report)]));
    const unbound = [...configured.keys()].filter((name) => name !== 'builtin');
    const chat = models.filter(({ kind }) => kind === 'chat');
    const builtin = chat.filter(isBuiltinOnly);
    const builtinText = `${builtin.length} of ${chat.length} chat models are answered by the built-in engine, which is no language model; docs/guide/connect-a-model-server.md`;
    return [
      ...checked.flatMap(({ addresses }) => addresses.flatMap(({ findings }) => findings)),
      ...checkLengths(models, reports, config.models),
      ...problemFindings(stored),
      ...(await drainFindings(config, stored)),
      ...unboundFindings(unbound, models),
      ...(builtin.length === 0 ? [] : [ok('Models', builtinText)]),
    ];
  } finally {
    await closeEngines(engines);
  }
}
