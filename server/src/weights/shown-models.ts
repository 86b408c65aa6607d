import { bindingsThatCount, type ConnectedServers, type ServerEngines } from '../model-servers/index.ts';
import type { Catalogue, CatalogueModel, LiveCatalogue } from '../models/catalogue.ts';
import { type LocalModel, withLocalModels } from '../models/local.ts';
import { withSpeechModels } from '../models/speech.ts';
import type { Bindings } from './bindings.ts';

export interface ShownModelsDeps {
  /** What requests are answered by. */
  readonly catalogue: Pick<LiveCatalogue, 'replace'>;
  /** The catalogue of the configuration with the connected servers in it. */
  readonly served: Catalogue;
  readonly servers: Pick<ConnectedServers, 'list'>;
  /** Opens the engines of connected servers before the catalogue names them. */
  readonly applyServers: ServerEngines['apply'];
  readonly bindings: Pick<Bindings, 'list'>;
  /** The model files of this machine. */
  readonly models: () => readonly LocalModel[];
  /** Its speech models. */
  readonly speech: () => readonly CatalogueModel[];
  /** Called after the catalogue was replaced. */
  readonly onShown: () => void;
}

/** Makes what brings the catalogue up to date; where nothing changed since its last call it does nothing. */
export function createShowModels(deps: ShownModelsDeps): () => void {
  let shown = '';
  return () => {
    const [models, bindings, servers, speech] = [
      deps.models(),
      deps.bindings.list(),
      deps.servers.list(),
      deps.speech(),
    ];
    const next = JSON.stringify([models, bindings, servers, speech]);
    if (next === shown) return;
    shown = next;
    const settle = deps.applyServers(servers);
    const entries = withLocalModels(deps.served, models, bindingsThatCount(bindings, servers));
    deps.catalogue.replace(withSpeechModels(entries, speech));
    settle();
    deps.onShown();
  };
}
