export {
  type EmbeddingModelOptions,
  type RerankModelOptions,
  writeEmbeddingModel,
  writeRerankModel,
} from './bert-model.ts';
export { partialTokens, PLAIN_TEMPLATE, type RandomModelOptions, writeRandomModel } from './random-model.ts';
export { type Fork, type Route, routeToken, type ScriptedModelOptions, writeScriptedModel } from './scripted-model.ts';
export { type Damage, writeBrokenModel } from './broken-files.ts';
export { IMAGE_TOKENS, writeRandomProjector } from './projector.ts';
