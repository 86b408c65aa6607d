import { stat } from 'node:fs/promises';
import { type ModelFacts, readFacts } from './child/header.ts';
import { GgufError, type GgufMetadata, readGgufHeader } from './gguf-header.ts';
import { RequestError } from './request-error.ts';
import { createTemplate } from './template/index.ts';

/** What the header of a model file says of it, before it is loaded. */
export interface InspectedModel {
  readonly architecture: string;
  readonly kind: 'chat' | 'embedding' | 'rerank';
  /** The model's own name, such as `Qwen3 4B`; null where the file has none. */
  readonly name: string | null;
  readonly bytes: number;
  /** Changes with the content. */
  readonly fingerprint: string;
  readonly trainContext: number | null;
  /** Memory of one token of the context, in bytes. */
  readonly tokenBytes: number | null;
  readonly dimensions: number | null;
  /** Family of the chat template; null where it cannot be read. */
  readonly family: string | null;
  readonly tools: boolean;
  readonly thinking: 'none' | 'optional' | 'always';
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const numberOf = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null);

/** Pooling that gives a score instead of a vector. Source: llama.h, `LLAMA_POOLING_TYPE_RANK`. */
const RANK = 4;

function kindOf(name: string, poolingType: number | null, causal: boolean): InspectedModel['kind'] {
  // Older conversions of rerankers do not say what they are.
  if (poolingType === RANK || /rerank/i.test(name)) return 'rerank';
  // Nor do conversions of embedding models whose attention is that of a chat model.
  return !causal || (poolingType ?? 0) > 0 || /embed/i.test(name) ? 'embedding' : 'chat';
}

function describeTemplate({
  chatTemplate,
  toolTemplate,
}: ModelFacts): Pick<InspectedModel, 'family' | 'tools' | 'thinking'> {
  try {
    const template = createTemplate({ source: chatTemplate, toolSource: toolTemplate, bosToken: '', eosToken: '' });
    const { family, tools, thinking } = template;
    // Source: the chat template of HyperCLOVA X, whose words for it are its own.
    const own = chatTemplate?.includes('skip_reasoning') === true;
    return { family: family.name, tools, thinking: own ? 'optional' : thinking };
  } catch (error) {
    // Its process says what is wrong with the template when it is asked to use it.
    if (error instanceof RequestError) return { family: null, tools: false, thinking: 'none' };
    throw error;
  }
}

function read(metadata: GgufMetadata, fileName: string): Omit<InspectedModel, 'bytes' | 'fingerprint'> {
  const facts = readFacts(metadata);
  if (!facts) throw new GgufError('The file names no architecture: it is no language model.');
  // Source: llama.cpp, the projectors of its multimodal models.
  if (facts.architecture === 'clip')
    throw new GgufError(
      'It is a projector for images, no model: name it as mmproj of its model in local_models.models, and let its name hold "mmproj".',
    );
  const general = fieldsOf(metadata['general']);
  const own = fieldsOf(metadata[facts.architecture]);
  const name = typeof general['name'] === 'string' ? general['name'] : null;
  return {
    architecture: facts.architecture,
    kind: kindOf(`${fileName} ${name ?? ''}`, facts.poolingType, facts.causal),
    name,
    trainContext: numberOf(own['context_length']),
    tokenBytes: numberOf(facts.tokenBytes),
    dimensions: numberOf(own['embedding_length']),
    ...describeTemplate(facts),
  };
}

/** Reads what a GGUF file is. Throws GgufError for one that is damaged or none; file system errors as they are. */
export async function inspectModel(path: string): Promise<InspectedModel> {
  const { bytes, fingerprint } = await statModel(path);
  const fileName = path.split(/[\\/]/).at(-1) ?? '';
  return { ...read(await readGgufHeader(path), fileName), bytes, fingerprint };
}

/** Size of a model and a mark that changes with its content, all parts of a split one together. File system errors as they are. */
export async function statModel(path: string): Promise<Pick<InspectedModel, 'bytes' | 'fingerprint'>> {
  const [, start, count = '1'] = /^(.*)-00001-of-(\d{5})\.gguf$/i.exec(path) ?? [];
  const parts = Array.from({ length: Number(count) }, (_, i) =>
    start === undefined ? path : `${start}-${String(i + 1).padStart(5, '0')}-of-${count}.gguf`,
  );
  const stats = await Promise.all(parts.map((part) => stat(part)));
  return {
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
    fingerprint: stats.map(({ size, mtimeMs }) => `${size}:${mtimeMs}`).join(' '),
  };
}
