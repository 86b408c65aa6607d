export { bindModel, listBindings, unbindModel, watchBindings } from './bindings.ts';
export { importModel, listModelFolder, removeModel } from './folder.ts';
