import { closeEngines, createEngines } from '../compose/engines.ts';
import { LOCAL_ENGINE, withEmbedders, withLocalModels } from '../models/local.ts';
import type { Engine, EngineModel } from '../ports/engine.ts';
import { extractFlags, UsageError } from './args.ts';
import {
  cancelPull,
  importFile,
  loadModel,
  openStoreReadOnly,
  pinModel,
  removeModel,
  stateText,
  unloadModel,
  unpinModel,
  unuseModel,
} from './local-models.ts';
import { setModel, useModel } from './local-embedders.ts';
import { pullModel, recommendModels, searchModels } from './pull.ts';
import { formatTable } from './output.ts';
import type { Command } from './command.ts';
import { commandLog } from './with-database.ts';

/** Health and models of an engine. */
export interface EngineReport {
  readonly id: string;
  readonly kind: Engine['kind'];
  /** Null when it answers. */
  readonly problem: string | null;
  readonly models: readonly EngineModel[];
}

const TIMEOUT_MS = 3_000;

/** Probes the health and the models of an engine. */
export async function probeEngine(engine: Engine): Promise<EngineReport> {
  const { id, kind } = engine;
  try {
    const { ok, reason } = await engine.health(AbortSignal.timeout(TIMEOUT_MS));
    if (!ok) return { id, kind, problem: reason ?? 'not well', models: [] };
    return { id, kind, problem: null, models: await engine.models(AbortSignal.timeout(TIMEOUT_MS)) };
  } catch (error) {
    return { id, kind, problem: error instanceof Error ? error.message : String(error), models: [] };
  }
}

/** Whether an engine has a model by its name there; an engine that lists nothing has whatever is asked. */
export const hasModel = ({ models }: EngineReport, name: string) =>
  models.length === 0 || models.some((model) => model.name === name);

type Action = (context: Parameters<Command>[0], positionals: readonly string[]) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  list(context, positionals) {
    if (positionals.length > 0) throw new UsageError('Use "studio models list [--json]".');
    return list(context);
  },
  search: searchModels,
  recommend: recommendModels,
  pull: pullModel,
  cancel: cancelPull,
  import: importFile,
  remove: removeModel,
  use: useModel,
  set: setModel,
  unuse: unuseModel,
  load: loadModel,
  unload: unloadModel,
  pin: pinModel,
  unpin: unpinModel,
};

export const models: Command = async (context) => {
  const [action = 'list', ...positionals] = context.line.positionals;
  const known = actions[action];
  if (!known) throw new UsageError(`Use "studio models ${Object.keys(actions).join(', ')}".`);
  return known(context, positionals);
};

const list: Command = async ({ line, out, load }) => {
  const { own, rest } = extractFlags(line, ['json']);
  const loaded = load(rest);
  const { config, catalogue } = loaded;
  const engines = createEngines({ config, log: commandLog() });
  try {
    const reports = new Map<string, EngineReport[]>();
    await Promise.all(
      [...engines].map(async ([name, addresses]) =>
        reports.set(name, await Promise.all(addresses.map(({ engine }) => probeEngine(engine)))),
      ),
    );
    const store = openStoreReadOnly(loaded);
    const [local, bindings, embedders] = await Promise.all([store.list(), store.bindings(), store.embedders()]);
    const localModels = withEmbedders(
      local.flatMap(({ facts }) => facts?.model ?? []),
      embedders,
    );
    const localState = (model: string): string => {
      const entry = local.find(({ localId }) => localId === model);
      return entry ? stateText(entry) : `there is no file of the local model "${model}"`;
    };
    const stateOf = (engine: string, model: string): string => {
      if (engine === 'builtin') return 'built in, no language model';
      if (engine === LOCAL_ENGINE) return localState(model);
      const probed = reports.get(engine) ?? [];
      const healthy = probed.filter(({ problem }) => problem === null);
      if (healthy.length === 0) return `does not answer: ${probed[0]?.problem ?? 'no address'}`;
      return healthy.some((report) => hasModel(report, model))
        ? `answers (${healthy.length} of ${probed.length} addresses)`
        : `answers, but has no model "${model}"`;
    };
    const served = withLocalModels(catalogue, localModels, bindings).flatMap(({ id, kind, engines: bindings }) =>
      bindings.map(({ engine, model = id }) => ({ id, kind, engine, model, state: stateOf(engine, model) })),
    );
    // Files that are still downloaded, or that cannot be used, are not in the catalogue yet.
    const unserved = local
      .filter(({ state, facts, reason }) => facts === null && (state !== 'absent' || reason !== null))
      .map((entry) => ({
        id: entry.localId ?? entry.id,
        kind: entry.about?.kind ?? '',
        engine: LOCAL_ENGINE,
        model: entry.localId ?? entry.id,
        state: stateText(entry),
      }));
    const rows = [...served, ...unserved];
    const entryOf = (engine: string, model: string) =>
      engine === LOCAL_ENGINE ? (local.find(({ id, localId }) => (localId ?? id) === model) ?? null) : null;
    if (own.json)
      out.print(
        JSON.stringify(
          rows.map((row) => ({ ...row, local: entryOf(row.engine, row.model) })),
          null,
          2,
        ),
      );
    else
      out.print(
        formatTable([
          ['MODEL', 'KIND', 'ENGINE', 'STATE'],
          ...rows.map((row) => [row.id, row.kind, row.engine, row.state]),
        ]),
      );
  } finally {
    await closeEngines(engines);
  }
  return 0;
};
