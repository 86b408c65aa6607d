export { type Connectors, createConnectors } from './connectors.ts';
export type { ConnectorDeps } from './deps.ts';
export { type ConnectorFigures, readConnectorFigures } from './figures.ts';
export { startConnectors } from './runner.ts';
