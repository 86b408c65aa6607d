export { createClusterHost, serveModels } from './cluster.ts';
export { type FailureKind, ModelFailure, ModelUnavailable } from './failure.ts';
export { createSocketFolder } from './socket-folder.ts';
export { type Machine, memoryBudget, readMachine } from './machine.ts';
export { type LocalSettings, type ModelFile, planLoad } from './plan.ts';
export type { ServerSettings } from '../child/settings.ts';
export { createSupervisor, type ModelHost, type ModelLease, type SupervisorSettings } from './supervisor.ts';
export type { ModelStatus } from './slot.ts';
