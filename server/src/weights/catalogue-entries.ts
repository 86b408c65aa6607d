import type { Entry } from './catalogue-entry.ts';
import { chatEntries } from './chat-entries.ts';
import { earlierEntries } from './earlier-entries.ts';
import { koreanEntries } from './korean-entries.ts';

const GB = 1_000_000_000;

// Sources: the model cards and file lists of the repositories. A revision, a SHA-256 and an exact size stand here where public lock
// files of other projects give the same for the same file; whatever could not be looked up so is left out, and the model says so.
/** The models, in the order in which they are shown. */
export const entries: readonly Entry[] = [
  ...chatEntries,
  ...koreanEntries,
  ...earlierEntries,
  {
    id: 'qwen3-embedding-0.6b',
    title: 'Qwen 3 Embedding 0.6B',
    about: { ko: '여러 언어의 긴 글을 벡터로 바꿉니다.', en: 'Vectors of long texts in many languages.' },
    kind: 'embedding',
    repository: 'Qwen/Qwen3-Embedding-0.6B-GGUF',
    file: 'Qwen3-Embedding-0.6B-Q8_0.gguf',
    licence: 'apache-2.0',
    bytes: 0.64 * GB,
    family: 'qwen',
    contextLength: 32_768,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'bge-m3',
    title: 'BGE M3',
    about: { ko: '100여 개 언어의 글을 벡터로 바꿉니다.', en: 'Vectors of texts in a hundred languages.' },
    kind: 'embedding',
    repository: 'gpustack/bge-m3-GGUF',
    file: 'bge-m3-Q8_0.gguf',
    licence: 'mit',
    bytes: 0.63 * GB,
    family: 'bert',
    contextLength: 8_192,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'multilingual-e5-small',
    title: 'Multilingual E5 small',
    about: {
      ko: '100여 개 언어의 글을 벡터로 바꾸는 아주 작은 모델입니다. 글 앞에 "query: " 또는 "passage: "를 붙입니다.',
      en: 'A tiny model for vectors in a hundred languages; texts begin with "query: " or "passage: ".',
    },
    kind: 'embedding',
    repository: 'TwinSunsLLC/multilingual-e5-small-gguf',
    revision: 'b6cac9615d4ecce28d7f22539b7322d695fc2886',
    file: 'multilingual-e5-small-q8_0.gguf',
    sha256: 'e011debc1208e31bf7b6aebee2d9fc8bd2ca11694a77ed66ac9d0c9d0a877c93',
    licence: 'mit',
    bytes: 132_439_008,
    family: 'bert',
    contextLength: 512,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'multilingual-e5-large-instruct',
    title: 'Multilingual E5 large instruct',
    about: {
      ko: '100여 개 언어의 글을 벡터로 바꿉니다. 질문 앞에 무엇을 찾는지 적습니다.',
      en: 'Vectors of texts in a hundred languages; queries begin with a task.',
    },
    kind: 'embedding',
    repository: 'Ralriki/multilingual-e5-large-instruct-GGUF',
    file: 'multilingual-e5-large-instruct-q8_0.gguf',
    licence: 'mit',
    bytes: 0.6 * GB,
    family: 'bert',
    contextLength: 512,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'qwen3-reranker-0.6b',
    title: 'Qwen 3 Reranker 0.6B',
    about: {
      ko: '여러 언어의 긴 문서를 질문과 가까운 순서로 정렬합니다.',
      en: 'Orders long passages in many languages by how well they answer.',
    },
    kind: 'rerank',
    repository: 'ggml-org/Qwen3-Reranker-0.6B-Q8_0-GGUF',
    revision: 'a02f48bb4f057028298c21fa033da2b30d7742d5',
    file: 'qwen3-reranker-0.6b-q8_0.gguf',
    sha256: '22c9979ce4fbcdc5acdc310c6641c32797eff1aa980b8f7a2db8a8ea23429a48',
    licence: 'apache-2.0',
    converter: 'ggml-org',
    bytes: 639_153_184,
    attention: { full: { layers: 28, heads: 8, size: 128 } },
    family: 'qwen',
    contextLength: 32_768,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
  {
    id: 'bge-reranker-v2-m3',
    title: 'BGE Reranker v2 M3',
    about: {
      ko: '여러 언어의 문서를 질문과 가까운 순서로 정렬합니다.',
      en: 'Orders passages in many languages by how well they answer.',
    },
    kind: 'rerank',
    repository: 'gpustack/bge-reranker-v2-m3-GGUF',
    revision: '3093af03b1a635e67b084b1d8c03c5f5e020fd05',
    file: 'bge-reranker-v2-m3-Q8_0.gguf',
    sha256: 'a43c7c9b11a4c1517e5bf95151960e1621d1b72f7a493364b01e386cf1aaa1d3',
    licence: 'apache-2.0',
    converter: 'gpustack',
    bytes: 635_676_416,
    family: 'bert',
    contextLength: 8_192,
    languages: ['ko', 'en', 'zh', 'ja'],
  },
];
