import { closeEngines, createEngines } from '../../compose/engines.ts';
import type { LoadedConfig } from '../../config/index.ts';
import { hasModel, probeEngine, type EngineReport } from '../models.ts';
import { commandLog } from '../with-database.ts';
import { checkEmbedder } from './embedders.ts';
import { ok, warn, type Finding } from './finding.ts';

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

/** Whether the configured engines answer, have what the models are bound to, and make vectors that can be used. */
export async function checkEngines({ config, catalogue }: LoadedConfig): Promise<Finding[]> {
  const engines = createEngines({ config, log: commandLog() });
  try {
    const external = [...engines].filter(([name]) => name !== 'builtin');
    const findings = await Promise.all(
      external.flatMap(([name, addresses]) => {
        const bindings = catalogue
          .list()
          .flatMap(({ id, kind, engines: bound }) =>
            bound.filter(({ engine }) => engine === name).map(({ model = id }) => ({ kind, model })),
          );
        const embedders = new Set(bindings.flatMap(({ kind, model }) => (kind === 'embedding' ? [model] : [])));
        return addresses.map(async ({ engine }) => {
          const report = await probeEngine(engine);
          const asked = [...embedders].filter((model) => report.problem === null && hasModel(report, model));
          const timeoutMs = config.retrieval.query_timeout_ms;
          return [
            findingOf(report, [...new Set(bindings.map(({ model }) => model))]),
            ...(await Promise.all(asked.map((model) => checkEmbedder(engine, model, timeoutMs)))),
          ];
        });
      }),
    ).then((lists) => lists.flat());
    const unbound = external
      .map(([name]) => name)
      .filter((name) => !catalogue.list().some(({ engines: bound }) => bound.some(({ engine }) => engine === name)));
    for (const name of unbound)
      findings.push(
        warn(
          `Engine ${name}`,
          'no model is bound to it',
          `Bind one: models: {CORE-GOV: {engines: [{engine: ${name}, model: NAME}]}}`,
        ),
      );
    const chat = catalogue.list().filter(({ kind }) => kind === 'chat');
    const builtin = chat.filter(({ engines: bound }) => bound.every(({ engine }) => engine === 'builtin'));
    if (builtin.length > 0) {
      findings.push(
        ok(
          'Models',
          `${builtin.length} of ${chat.length} chat models are answered by the built-in engine, which is no language model; docs/guide/connect-a-model-server.md`,
        ),
      );
    }
    return findings;
  } finally {
    await closeEngines(engines);
  }
}
