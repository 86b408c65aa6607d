/**
 * The part of node-llama-cpp's low level that is used here. It is private to that package, whose version is pinned exactly.
 * Source: node-llama-cpp 3.22.1, dist/bindings/AddonTypes.d.ts.
 */
export interface NativeModel {
  init(): Promise<boolean>;
  dispose(): Promise<void>;
  tokenize(text: string, specialTokens: boolean): Uint32Array;
  getTrainContextSize(): number;
  getEmbeddingVectorSize(): number;
  getMemoryBreakdown(): NativeMemory;
  getTokenString(token: number): string;
  getTokenAttributes(token: number): number;
  isEogToken(token: number): boolean;
  getVocabularyType(): number;
  tokenSep(): number;
  shouldPrependBosToken(): boolean;
  shouldAppendEosToken(): boolean;
}

export interface NativeMemory {
  readonly cpuRam: number;
  readonly gpuVram: number;
}

export interface ModelParams {
  readonly addonExports: NativeBindings;
  readonly gpuLayers: number;
  readonly useMmap: boolean;
  readonly onLoadProgress: (fraction: number) => void;
  /** Metadata that is read instead of the file's: key, value, and 0 for an integer. */
  readonly overridesList?: [key: string, value: number, type: 0][];
}

export interface ContextParams {
  readonly contextSize: number;
  readonly batchSize: number;
  readonly sequences: number;
  readonly threads: number;
  readonly flashAttention: boolean | 'auto';
  readonly embeddings?: boolean;
  readonly ranking?: boolean;
  readonly swaFullCache?: boolean;
}

/** Tokens and their values in turn, as the native side lists them. */
export type TokenValues = number[];

export interface NativeContext {
  init(): Promise<boolean>;
  dispose(): Promise<void>;
  getMemoryBreakdown(): NativeMemory;
  initBatch(size: number): void;
  /** Returns for each of `logitIndexes` where its logits will be. */
  addToBatch(sequenceId: number, firstPosition: number, tokens: Uint32Array, logitIndexes: Uint32Array): Uint32Array;
  decodeBatch(): Promise<void>;
  sampleToken(logits: number, sampler: NativeSampler): Promise<number>;
  sampleToken(
    logits: number,
    sampler: NativeSampler,
    probabilities: boolean,
    confidence: boolean,
    values: [tokens: readonly number[], max: boolean, min: boolean, selected: boolean, top: number],
    totalLogitWeight: boolean,
  ): Promise<[token: number, unknown, unknown, values: TokenValues | undefined, totalWeight: number | undefined]>;
  disposeSequence(sequenceId: number): void;
  removeTokenCellsFromSequence(sequenceId: number, start: number, end: number): boolean;
  getSequenceKvCacheMinPosition(sequenceId: number): number;
  /** Makes the target hold what the source holds. Resolves with the last position. */
  copySequenceStateFromOtherSequence(target: number, source: number): Promise<number>;
  getEmbedding(inputTokens: number): Float64Array;
}

export interface SamplerConfig {
  temperature?: number;
  minP?: number;
  topK?: number;
  topP?: number;
  seed?: number;
  repeatPenalty?: number;
  repeatPenaltyMaxTokens?: number;
  repeatPenaltyTokens?: Uint32Array;
  repeatPenaltyPresencePenalty?: number;
  repeatPenaltyFrequencyPenalty?: number;
  grammarEvaluationState?: NativeGrammarState;
  tokenBiasKeys?: Uint32Array;
  tokenBiasValues?: Float32Array;
}

export interface NativeSampler {
  /** Whatever is left out is switched off. */
  applyConfig(config: SamplerConfig): void;
  dispose(): void;
}

declare const grammarBrand: unique symbol;
declare const stateBrand: unique symbol;
export interface NativeGrammar {
  readonly [grammarBrand]: never;
}
/** Where a text stands in a grammar. */
export interface NativeGrammarState {
  readonly [stateBrand]: never;
}

export interface NativeBindings {
  readonly AddonModel: new (path: string, params: ModelParams) => NativeModel;
  readonly AddonContext: new (model: NativeModel, params: ContextParams) => NativeContext;
  readonly AddonSampler: {
    new (model: NativeModel): NativeSampler;
    acceptGrammarEvaluationStateToken(state: NativeGrammarState, token: number): void;
  };
  readonly AddonGrammar: new (
    text: string,
    params: { addonExports: NativeBindings; rootRuleName: string },
  ) => NativeGrammar;
  readonly AddonGrammarEvaluationState: new (model: NativeModel, grammar: NativeGrammar) => NativeGrammarState;
  getSupportsMmap(): boolean;
  getIsArchSupported(architecture: string): boolean;
  getIsArchRecurrent(architecture: string): boolean | undefined;
  getIsArchHybrid(architecture: string): boolean | undefined;
}
