export { type Connectors, createConnectors, type RunAsked } from './connectors.ts';
export type { ConnectorDeps, OpenConnector } from './deps.ts';
export { type ConnectorRunner, startConnectors } from './runner.ts';
