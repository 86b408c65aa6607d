export { type BindingAccess, createBindings, watchBindings } from './bindings.ts';
export type { Download } from './download/notes.ts';
export type { LocalFacts, WeightsEntry } from './entry.ts';
export { createModelFolder, type Extent, type FolderModel } from './folder.ts';
export { readPins } from './pins.ts';
export type { PullProgress } from './pulls.ts';
export type { ModelRuntime, RunningModel } from './runtime.ts';
export { createRemoteRuntime, serveRuntime } from './runtime-socket.ts';
export { createModelStore, type ModelStore } from './store.ts';
