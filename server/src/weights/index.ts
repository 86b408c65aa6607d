export { bindModel, listBindings, unbindModel, watchBindings } from './bindings.ts';
export { createModelStore, type ModelStore, type PullProgress } from './store.ts';
export { importModel, listModelFolder, removeModel } from './folder.ts';
