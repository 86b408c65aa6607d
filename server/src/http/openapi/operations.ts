import { agentOperations, type AgentSchemaName } from './agents.ts';
import type { OperationOf } from './operation.ts';
import { retrievalOperations, type RetrievalSchemaName } from './retrieval.ts';

/** Names of the wire forms in the document. */
export type SchemaName =
  | RetrievalSchemaName
  | AgentSchemaName
  | 'ChatRequest'
  | 'ChatReply'
  | 'ChatChunk'
  | 'CompletionRequest'
  | 'CompletionReply'
  | 'EmbeddingsRequest'
  | 'EmbeddingsReply'
  | 'RerankRequest'
  | 'RerankReply'
  | 'Model'
  | 'ModelList'
  | 'PiiMaskRequest'
  | 'PiiMaskReply'
  | 'PiiUnmaskRequest'
  | 'PiiUnmaskReply'
  | 'TranscriptionFields'
  | 'Transcription'
  | 'SpeechRequest'
  | 'DocumentParseFields'
  | 'DocumentParseReply'
  | 'DocumentAcceptedReply'
  | 'DocumentContentQuery'
  | 'DocumentContentReply'
  | 'EnvelopeError'
  | 'Error';

export type Operation = OperationOf<SchemaName>;

/** Statuses of every endpoint that takes a key. */
const keyed = [401, 403, 429, 500, 503] as const;
/** Statuses of every endpoint that takes a body. */
const withBody = [400, ...keyed, 413, 415, 504] as const;

/** The public interface, in the order in which people read it. */
export const operations: readonly Operation[] = [
  {
    method: 'post',
    paths: ['/v1/chat/completions'],
    tag: 'Chat',
    summary: 'Chat completion',
    description:
      'A reply to a conversation, whole or as server-sent events (`stream: true`): a first chunk with the role, thinking before the answer, a chunk with `finish_reason` and `stop_reason`, then `data: [DONE]`. A failure in the middle is one event with `error`, without `[DONE]`. The header `X-Tool-Stream: openai` asks for tool-call deltas that open with id and name, for the models that leave them out. Where the tenant or the key has a policy for personal values, they are counted, masked before the model and restored in the reply, or refused with 422; `X-Privacy-Findings` says which types were found.',
    request: 'ChatRequest',
    reply: 'ChatReply',
    stream: 'ChatChunk',
    example: { model: 'CORE-GOV-THINK', messages: [{ role: 'user', content: '12 × 12는 얼마인가요?' }], stream: false },
    statuses: [...withBody, 422],
  },
  {
    method: 'post',
    paths: ['/v1/completions'],
    tag: 'Chat',
    summary: 'Text completion',
    description: 'The older text form: the prompt is answered as a user message.',
    request: 'CompletionRequest',
    reply: 'CompletionReply',
    stream: 'CompletionReply',
    example: { model: 'CORE-GOV', prompt: 'Hello' },
    statuses: [...withBody, 422],
  },
  {
    method: 'post',
    paths: ['/v1/embeddings', '/v1/text/embeddings'],
    tag: 'Embeddings',
    summary: 'Text embeddings',
    description: 'One vector for each text, in order. Both paths are one endpoint.',
    request: 'EmbeddingsRequest',
    reply: 'EmbeddingsReply',
    example: { input: ['안녕하세요', 'Hello'] },
    statuses: withBody,
  },
  {
    method: 'post',
    paths: ['/v1/rerank'],
    tag: 'Embeddings',
    summary: 'Reranking',
    description: 'Documents in the order of how well they answer the query, each with a score of 0 to 1.',
    request: 'RerankRequest',
    reply: 'RerankReply',
    example: { query: '연차 휴가는 며칠인가요?', documents: ['연차는 15일입니다.', '점심은 12시입니다.'], top_n: 1 },
    statuses: withBody,
  },
  {
    method: 'post',
    paths: ['/v1/text/pii-mask'],
    tag: 'Privacy',
    summary: 'Masking of personal values',
    description:
      'Finds resident and foreigner numbers, licences, passports, accounts, cards (and more types on request) and masks, replaces, redacts, hashes or encrypts them. With `reversible` tokens are written, which `POST /v1/text/pii-unmask` turns back until `expires_at`. `recognizer_model` has a chat model look for names and addresses, too; `failed_recognizers` says where it could not, and `usage.recognizer_tokens` what it took.',
    request: 'PiiMaskRequest',
    reply: 'PiiMaskReply',
    envelope: true,
    example: { text: '주민번호는 960121-1234567입니다.' },
    statuses: [400, ...keyed, 404, 413, 415],
  },
  {
    method: 'post',
    paths: ['/v1/text/pii-unmask'],
    tag: 'Privacy',
    summary: 'Unmasking',
    description: 'Turns the tokens of a session and encrypted values back, for the tenant that masked them.',
    request: 'PiiUnmaskRequest',
    reply: 'PiiUnmaskReply',
    envelope: true,
    example: { text: '주민번호는 [RRN_7K2MQ9XB]입니다.', session_id: '0123456789abcdef0123456789abcdef' },
    statuses: [400, ...keyed, 404, 413, 415],
  },
  {
    method: 'post',
    paths: ['/v1/document/parse'],
    tag: 'Documents',
    summary: 'Document parser',
    description:
      'Reads a document (its format is known by its content) and gives its blocks by page, or the whole as HTML, Markdown or plain text. A document that cannot be read is a 422 whose message begins with why: `ENCRYPTED`, `CORRUPTED`, `UNSUPPORTED`, `NEEDS_OCR`, `TIMEOUT`.',
    form: 'DocumentParseFields',
    reply: 'DocumentParseReply',
    envelope: true,
    statuses: [400, ...keyed, 413, 415, 422],
  },
  {
    method: 'post',
    paths: ['/v1/document/parse/async'],
    tag: 'Documents',
    summary: 'Document parser, in the background',
    description:
      'Keeps a document and answers at once with a `document_id`; what becomes of it is asked for with `GET /v1/document/{document_id}/content`. It is read also when the service is started anew in between.',
    form: 'DocumentParseFields',
    reply: 'DocumentAcceptedReply',
    envelope: true,
    statuses: [400, ...keyed, 413, 415],
  },
  {
    method: 'get',
    paths: ['/v1/document/{document_id}/content'],
    tag: 'Documents',
    summary: 'A document of the background',
    description:
      '`RUNNING_INFERENCE` with the pages that were read, `SUCCESS` with what the document parser gives, or `FAILED` with a reason. What was read is kept for a limited time (`expires_at`).',
    query: 'DocumentContentQuery',
    reply: 'DocumentContentReply',
    envelope: true,
    statuses: [400, ...keyed, 404, 422],
  },
  ...retrievalOperations,
  ...agentOperations,
  {
    method: 'post',
    paths: ['/v1/audio/transcriptions'],
    tag: 'Speech',
    summary: 'Speech to text',
    description:
      'Writes down the speech of a file: mp3, wav, m4a, flac, ogg, webm, aac, wma or opus, known by its content. `verbose_json`, `srt` and `vtt` have times. Without a model it is a 503 that says what to connect or install.',
    form: 'TranscriptionFields',
    reply: 'Transcription',
    media: ['text/plain', 'application/x-subrip', 'text/vtt'],
    statuses: [400, ...keyed, 413, 415, 504],
  },
  {
    method: 'post',
    paths: ['/v1/audio/speech'],
    tag: 'Speech',
    summary: 'Text to speech',
    description:
      'Says a text, as bytes that come while they are made, or with `stream_format` `sse` as events whose `audio` is base64, and `[DONE]`. Without a model or program it is a 503 that says what to connect or install.',
    request: 'SpeechRequest',
    media: ['audio/mpeg', 'audio/wav', 'audio/ogg', 'audio/flac', 'audio/pcm', 'text/event-stream'],
    example: { input: '안녕하세요. Hello.', response_format: 'mp3' },
    statuses: withBody,
  },
  {
    method: 'get',
    paths: ['/v1/models'],
    tag: 'Models',
    summary: 'Models',
    description: 'The models that the key may use.',
    reply: 'ModelList',
    statuses: keyed,
  },
  {
    method: 'get',
    paths: ['/v1/models/{id}'],
    tag: 'Models',
    summary: 'One model',
    description: 'Ids may hold slashes, as they are or percent-encoded.',
    reply: 'Model',
    statuses: [...keyed, 404],
  },
  {
    method: 'get',
    paths: ['/livez'],
    tag: 'Health',
    summary: 'Alive',
    description: 'Answers while the process runs.',
    statuses: [],
    open: true,
  },
  {
    method: 'get',
    paths: ['/readyz'],
    tag: 'Health',
    summary: 'Ready',
    description:
      'Answers 503 and names what is not ready. What is degraded is named, too: the service works without it, if worse.',
    statuses: [503],
    open: true,
  },
];
