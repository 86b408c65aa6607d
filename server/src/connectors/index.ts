export { type Connectors, createConnectors } from './connectors.ts';
export type { ConnectorDeps } from './deps.ts';
export { type ConnectorFigures, readConnectorFigures } from './figures.ts';
export { type ConnectorRunner, startConnectors } from './runner.ts';
