import { reportOnLocalModels } from '../../compose/model-files.ts';
import type { LoadedConfig } from '../../config/index.ts';
import { bindingsThatCount } from '../../model-servers/index.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';
import { prefixesOf, saysPrefixes } from '../../models/embedders.ts';
import { withEmbedders, withLocalModels } from '../../models/local.ts';
import { withModelServers } from '../../models/served.ts';
import type { EmbeddedLength, EmbeddedPrefixes } from '../../retrieval/index.ts';
import { openStoreReadOnly } from '../local-models.ts';
import { namesOf } from './embedders.ts';
import { checkEngines } from './engines.ts';
import { warn, type Finding } from './finding.ts';
import { checkLlamaServer } from './llama-server.ts';
import { checkLocalModels } from './local-models.ts';
import { readStoredModels } from './stored.ts';

/** Collections whose embedding model is not served any more. */
function orphanFindings(models: readonly CatalogueModel[], lengths: readonly EmbeddedLength[]): Finding[] {
  const known = new Set(models.filter(({ kind }) => kind === 'embedding').map(({ id }) => id));
  return lengths
    .filter(({ model }) => !known.has(model))
    .map(({ model, names }) =>
      warn(
        `Embedding model ${model}`,
        `made the vectors of ${names.length === 1 ? 'a collection' : `${names.length} collections`}, and is not in the catalogue any more`,
        'Serve it again, or give these collections another model. Their hybrid searches go by words alone until then, documents wait.',
      ),
    );
}

/** Collections that were embedded with other words before their texts than their model wants now. */
function prefixFindings(models: readonly CatalogueModel[], embedded: readonly EmbeddedPrefixes[]): Finding[] {
  return embedded.flatMap(({ model, prefixes, names }) => {
    const entry = models.find(({ id, kind }) => id === model && kind === 'embedding');
    const wanted = entry && saysPrefixes(entry) ? prefixesOf(entry) : prefixes;
    if (wanted.query === prefixes.query && wanted.passage === prefixes.passage) return [];
    return [
      warn(
        `Embedding model ${model}`,
        `wants other words before texts than ${namesOf({ names })} ${names.length === 1 ? 'was' : 'were'} embedded with`,
        'Reindex these collections to have their texts and queries begin with them; until then both stay as they were.',
      ),
    ];
  });
}

/** The engines, the models of this machine, and whether what they give fits what collections hold. */
export async function checkModels(loaded: LoadedConfig): Promise<Finding[]> {
  const { config, catalogue } = loaded;
  const store = openStoreReadOnly(loaded);
  const [stored, report, bindings, embedders] = await Promise.all([
    readStoredModels(loaded),
    reportOnLocalModels(config),
    store.bindings(),
    store.embedders(),
  ]);
  const usable = stored.servers.filter(({ problem }) => problem === null);
  const models = withLocalModels(
    withModelServers(catalogue, usable),
    withEmbedders(
      report.models.map(({ model }) => model),
      embedders,
    ),
    bindingsThatCount(bindings, stored.servers),
  );
  return [
    ...(await checkEngines(loaded, models, stored)),
    ...checkLocalModels(report, models, stored),
    ...(await checkLlamaServer(config)),
    ...orphanFindings(models, stored.lengths),
    ...prefixFindings(models, stored.prefixes),
  ];
}
