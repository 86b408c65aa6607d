export { type Connectors, createConnectors } from './connectors.ts';
export type { ConnectorDeps } from './deps.ts';
export { type ConnectorRunner, startConnectors } from './runner.ts';
