import type { Requirements } from './entry.ts';

const embeddings = 'decisions 3, embeddings';
const rerank = 'decisions 3, rerank';
const completions = 'decisions 3, completions';

/** Models, embeddings, completions, health, self-description, metering and the life of the process. */
export const serviceRequirements = {
  'database.away.chat': {
    source: 'decisions 1, Not available',
    text: 'While the database is away, chats with keys that a process knows go on for database.key_grace_s.',
  },
  'database.away.refused': {
    source: 'decisions 1, Not available',
    text: 'While the database is away, everything that needs it is a 503 with Retry-After at once, and nothing a 500.',
  },
  'database.away.resumed': {
    source: 'decisions 1, Not available',
    text: 'Runs, documents and sessions go on once the database is back.',
  },
  'models.list': {
    source: 'decisions 2, Models are data',
    text: 'GET models lists every model the key may use, the nine of the interface among them.',
  },
  'models.list.form': {
    source: 'decisions 2 (format)',
    text: '{object:"list",data:[{id,object:"model",created,owned_by}]}.',
  },
  'models.kind': {
    source: 'decisions 2, Models are data',
    text: 'A model of another kind than the call needs is told as what it is ("is an embedding model"), either way.',
  },
  'models.get': { source: 'decisions 2, Models are data', text: 'GET models/{id} gives one entry.' },
  'models.get.slash': { source: 'interface 4.1', text: 'An id with a slash is found, escaped or not.' },
  'models.get.unknown': { source: 'decisions 1, Error forms', text: 'An unknown id is a 404.' },

  'embeddings.paths': { source: embeddings, text: '/embeddings and /text/embeddings are one handler.' },
  'embeddings.input.string': { source: 'interface 4.4', text: 'A string gives one vector.' },
  'embeddings.input.array': { source: embeddings, text: 'A list gives one vector an item, in order.' },
  'embeddings.input.limits': { source: embeddings, text: '1 to 2,048 items, none empty, else a 400 with param input.' },
  'embeddings.input.required': { source: 'interface 4.4', text: 'Without input: 400 with param input.' },
  'embeddings.tokens': { source: embeddings, text: 'Token ids are read as the text that they stand for.' },
  'embeddings.reply': {
    source: embeddings,
    text: '{object,data:[{object,index,embedding}],model,usage:{prompt_tokens,total_tokens}}.',
  },
  'embeddings.base64': {
    source: embeddings,
    text: 'encoding_format base64 gives the same floats, little-endian; another format is a 400.',
  },
  'embeddings.dimensions': { source: embeddings, text: 'dimensions sets the length of the vectors; 0 is a 400.' },
  'embeddings.model': {
    source: embeddings,
    text: 'Without model the default embedder; an unknown one, or a chat model, is a 400 with param model.',
  },
  'embeddings.builtin': {
    source: 'architecture 6',
    text: 'The built-in embedder answers without any engine; like words are nearer than unlike ones.',
  },
  'embeddings.engine': {
    source: 'architecture 7',
    text: 'An embedding model of an engine answers over the same port.',
  },

  'rerank.paths': { source: rerank, text: 'POST /v1/rerank and /api/v1/rerank are one handler.' },
  'keys.presets': {
    source: 'docs/guide/clients.md',
    text: 'Where a key is made a program can be chosen: it sets the form of tool calls, and shows the settings to copy.',
  },
  'keys.tool-stream.tenant': {
    source: 'docs/guide/clients.md',
    text: 'The tenant sets the form of tool calls of keys that have none of their own.',
  },
  'chat.broken-round': {
    source: 'docs/guide/clients.md',
    text: 'A tool call without id or name is a 400 that names the header which cures it.',
  },
  'errors.unrouted': {
    source: 'decisions 1: Error forms',
    text: 'Wrong paths are 404 and wrong methods 405 with Allow, in the form of their surface, whatever type and body are sent.',
  },
  'errors.boundary': {
    source: 'decisions 1: Body limits',
    text: 'A boundary of any length is no failure of the service.',
  },
  'errors.fuzzed': {
    source: 'decisions 1: Body limits',
    text: 'Bad requests to Messages, tokens, moderations and reranking are refused in the right form, never with 5xx.',
  },
  'cors.off': {
    source: 'decisions 3',
    text: 'CORS is off unless origins are configured; OPTIONS names the methods of a path.',
  },
  'cors.origins': {
    source: 'decisions 3',
    text: 'Pages of configured origins may call every public endpoint, never with credentials, and never the console.',
  },
  'a2a.empty': { source: 'decisions 4', text: 'A message without text, files and data is -32602 with HTTP 400.' },
  'tokens.tokenize': { source: 'docs.vllm.ai: Tokenizer API', text: 'POST /v1/tokenize takes a text or messages.' },
  'tokens.detokenize': {
    source: 'docs.vllm.ai: Tokenizer API',
    text: 'POST /v1/detokenize gives the text of tokens; a server without a tokenizer is told of.',
  },
  'tokens.messages': {
    source: 'api.ncloud-docs.com: CLOVA Studio, token calculators',
    text: 'POST /v1/api-tools/chat-tokenize/{model} tells the tokens of each message, or of a text, in the envelope.',
  },
  'tokens.chat': {
    source: 'docs/guide/clients.md',
    text: 'POST /v1/chat/completions/tokens counts the prompt of a chat, or estimates it and says so.',
  },
  'moderations.advice': {
    source: 'decisions 3',
    text: 'POST /v1/moderations is a 404 that says what there is in its place.',
  },
  'rerank.cohere': {
    source: 'decisions 3; docs.cohere.com: Rerank API (v2)',
    text: 'POST /v2/rerank takes and answers the form of Cohere, whose failures have a message.',
  },
  'rerank.reply': {
    source: rerank,
    text: '{id,model,results:[{index,relevance_score}],usage:{prompt_tokens,total_tokens}}, best first.',
  },
  'rerank.scores': { source: rerank, text: 'Scores lie between 0 and 1, whatever the engine gives.' },
  'rerank.top_n': { source: rerank, text: 'top_n gives so many of the best.' },
  'rerank.return_documents': { source: rerank, text: 'return_documents puts the texts into the results.' },
  'rerank.model': { source: rerank, text: 'A model that is unknown or no reranker is a 400 with param model.' },
  'rerank.errors': { source: rerank, text: 'What is wrong is refused in the OpenAI error form and named.' },
  'rerank.engine': {
    source: 'architecture 7',
    text: 'Model servers of both common forms are asked, in pieces that they take.',
  },
  'rerank.usage': { source: 'decisions 1, Rate limit', text: 'A call is counted with its prompt tokens.' },

  'timeout.whole_reply': {
    source: 'decisions 2, Stream',
    text: 'A reply that comes whole ends with a 504 that names its limit, soon where the engine is not there any more.',
  },
  'overload.queue': {
    source: 'decisions 1, Not available',
    text: 'A call that a busy engine cannot take in time is a 503 with Retry-After that says so; calls under way go on.',
  },
  'engine.refusals': {
    source: 'decisions 2, Stream',
    text: 'What an engine refuses as a wrong request never counts against it.',
  },
  'timeout.total.whole': {
    source: 'decisions 2, Stream',
    text: 'Vectors and reranking end with a 504 when the limit for the whole reply runs out, as chats do.',
  },

  'local.chat': {
    source: 'architecture 7',
    text: 'A GGUF file answers chats under its name, whole and streamed, with exact usage.',
  },
  'local.shared': { source: 'architecture 7', text: 'However many workers there are, a model is in memory once.' },
  'local.bound': {
    source: 'architecture 7',
    text: 'An id of the interface that a local model serves keeps its keys, its defaults and its form.',
  },
  'local.use': {
    source: 'architecture 7',
    text: 'One command binds an id of the interface to a local model, in every process, without a new start.',
  },
  'local.search': { source: 'architecture 7', text: 'Models that can be downloaded are found by their words.' },
  'local.pull': {
    source: 'architecture 7',
    text: 'A model that is named is downloaded, verified, and served by the running service at once.',
  },
  'local.pull.resume': { source: 'architecture 7', text: 'A download that was cut or killed goes on where it was.' },
  'local.pull.seen': {
    source: 'architecture 7',
    text: 'A download is seen and ended by every process; one whose process is gone is told from one that runs.',
  },
  'local.pull.unverified': {
    source: 'architecture 7',
    text: 'A file for which the server gives no checksum is taken with a warning that stays.',
  },
  'local.state': {
    source: 'architecture 7',
    text: 'A command says what the running service has in memory, and how much memory that takes.',
  },
  'local.memory.commands': {
    source: 'architecture 7',
    text: 'Commands load, unload and pin a model of the running service, whichever of its processes keeps it.',
  },
  'local.arriving': {
    source: 'architecture 7',
    text: 'A file that is still being copied into the folder is not offered; once it is whole it appears by itself.',
  },
  'local.import.safe': {
    source: 'architecture 7',
    text: 'What is no model is not taken in, another file is not replaced, and a model that serves an id is not removed.',
  },
  'local.import': {
    source: 'architecture 7',
    text: 'A command copies a file into the folder, another removes it; the running service follows.',
  },
  'local.tools': {
    source: 'architecture 7',
    text: 'Tool calls of a local model are read from its text, whole and streamed, in the form of the catalogue id.',
  },
  'local.context': {
    source: 'decisions 2',
    text: 'What is beyond the context of a local model is a 400 with numbers.',
  },
  'local.embeddings': { source: 'architecture 7', text: 'An embedding model in GGUF form gives vectors.' },
  'local.rerank': { source: 'architecture 7', text: 'A reranker in GGUF form orders documents.' },
  'local.reasoning': {
    source: 'architecture 7',
    text: 'The thinking of a local model is apart from its answer, in both forms of reply, and counted.',
  },
  'local.stop': { source: 'architecture 7', text: 'A stop string ends a reply wherever its tokens end, and is named.' },
  'local.crash': {
    source: 'architecture 7',
    text: 'The end of a model’s process is an error event for its requests; the next request works.',
  },
  'local.eviction': {
    source: 'architecture 7',
    text: 'The least recently used model makes room for the next, never a busy one.',
  },
  'local.memory': { source: 'architecture 7', text: 'Too little memory is a 503 that says what is needed.' },
  'local.end': { source: 'architecture 7', text: 'Processes of models end with the service, however it ends.' },
  'local.missing': { source: 'architecture 7', text: 'A model without its weights is a 503 that says what to do.' },
  'local.corrupt': {
    source: 'architecture 7',
    text: 'A damaged file is a 503 that says what is wrong; others answer.',
  },
  'local.embedder': {
    source: 'docs/guide/local-models.md',
    text: 'An embedding model of one’s own is given any name and read as a command or the console says, at once.',
  },
  'local.images': {
    source: 'docs/guide/local-models.md',
    text: 'A local model sees images by llama-server, where the operator has it, and a projector beside its file.',
  },
  'local.watched': {
    source: 'architecture 7',
    text: 'A file that is put into the folder is served at once, by every process.',
  },

  'completions.reply': {
    source: completions,
    text: 'POST completions answers {id,object:"text_completion",created,model,choices:[{index,text,logprobs,finish_reason}],usage}.',
  },
  'completions.prompt': { source: completions, text: 'prompt is a text; without it a 400 with param prompt.' },
  'completions.prompts': {
    source: completions,
    text: 'Several prompts are answered each by itself; their choices stand in their order.',
  },
  'completions.stream': {
    source: completions,
    text: 'With stream: events with text pieces, the last with finish_reason, then [DONE].',
  },
  'completions.fields': {
    source: completions,
    text: 'Ranges are those of chat; a wrong value is a 400 that names it.',
  },
  'completions.stop': { source: completions, text: 'Stop strings and max_tokens end the text.' },

  'health.livez': { source: 'decisions 1, Health', text: 'GET /livez is 200 while the process runs, without a key.' },
  'health.readyz': { source: 'decisions 1, Health', text: 'GET /readyz is 200 when ready, without a key.' },
  'health.readyz.names': { source: 'decisions 1, Health', text: 'GET /readyz is 503 and names what is not ready.' },
  'health.metrics': { source: 'decisions 1, Health', text: 'GET /metrics is Prometheus text with counts of requests.' },
  'health.metrics.guarded': {
    source: 'decisions 1, Health',
    text: 'Metrics have a listener of their own or ask for a token; an API key does not open them.',
  },
  'self.openapi': {
    source: 'decisions 1, Self-description',
    text: 'GET /openapi.json is OpenAPI 3.1 with every public path.',
  },
  'self.openapi.same-schemas': {
    source: 'decisions 1, Self-description',
    text: 'Its request schemas have the ranges that are enforced.',
  },
  'self.docs': { source: 'decisions 1, Self-description', text: 'GET /docs is a readable page.' },
  'self.docs.offline': { source: 'decisions 1, Self-description', text: 'The page asks nothing of any other host.' },

  'usage.rows': {
    source: 'release goals: limits and metering',
    text: 'Each answered call is a usage row with its key, model and token counts.',
  },
  'usage.cut': { source: 'decisions 2, Stream', text: 'A cut stream is counted as far as it went.' },
  'usage.embeddings': { source: 'release goals: limits and metering', text: 'Embedding calls are counted too.' },
  'usage.graceful': { source: 'release goals: limits and metering', text: 'Nothing is lost at a graceful stop.' },

  'process.start.prints': {
    source: 'release goals: two commands',
    text: 'The first start prints where it listens, the key, a curl line, the models that answer and how to connect others.',
  },
  'process.start.curl': { source: 'release goals: two commands', text: 'The printed curl line works when pasted.' },
  'process.stop.drains': {
    source: 'release goals: the house',
    text: 'A graceful stop lets open streams end and refuses new calls.',
  },
  'process.kill': {
    source: 'release goals: how it is tried',
    text: 'After kill -9 the next start succeeds by itself within seconds.',
  },
  'process.kill.no-orphans': { source: 'architecture 5', text: 'kill -9 leaves no child process.' },
  'process.kill.nothing-lost': {
    source: 'release goals: how it is tried',
    text: 'Keys, and the usage of every call that was answered in full, survive kill -9 of the service or of one worker.',
  },
  'process.one-folder': {
    source: 'architecture 5',
    text: 'A second service on the same data folder refuses to start with a clear message.',
  },
  'process.workers': { source: 'architecture 4', text: 'With several workers all of them answer on one port.' },
  'builtin.honest': {
    source: 'architecture 7',
    text: 'The built-in engine says what it is: system_fingerprint builtin.',
  },
  'builtin.languages': { source: 'architecture 7', text: 'It greets in Korean and English, as it is greeted.' },
  'builtin.context': { source: 'architecture 7', text: 'It answers from the context that it is given.' },
  'builtin.arithmetic': { source: 'architecture 7', text: 'It does arithmetic with a visible reasoning trace.' },
  'builtin.tools': {
    source: 'architecture 7',
    text: "It calls a tool with arguments from the user's words and uses the tool's answer.",
  },
  'builtin.missing-weights': {
    source: 'architecture 7',
    text: 'A model whose engine is not there is a 503, never a silent substitute.',
  },

  'client.openai.plain': {
    source: 'release goals: how it is tried',
    text: 'The openai package, this and the previous major, reads whole replies.',
  },
  'client.openai.stream': {
    source: 'release goals: how it is tried',
    text: 'It reads streams, with reasoning and usage.',
  },
  'client.openai.tools': {
    source: 'release goals: how it is tried',
    text: 'A tool loop over two turns works with echoed reasoning and content null.',
  },
  'client.openai.errors': {
    source: 'release goals: how it is tried',
    text: 'Failures arrive as its own error classes with code, type and param.',
  },
  'client.openai.retry': {
    source: 'release goals: how it is tried',
    text: 'A 429 is retried after the time that was asked for.',
  },
  'client.openai.abort': { source: 'release goals: how it is tried', text: 'Aborting a stream reaches the engine.' },
  'client.ai.plain': {
    source: 'release goals: how it is tried',
    text: 'The ai package with @ai-sdk/openai-compatible reads whole replies.',
  },
  'client.ai.stream': { source: 'release goals: how it is tried', text: 'It reads streams, with reasoning.' },
  'client.ai.tools': { source: 'release goals: how it is tried', text: 'Its tool loop works, whole and streamed.' },
  'client.ai.errors': {
    source: 'release goals: how it is tried',
    text: 'Failures arrive as API call errors with their message.',
  },
  'client.ai.abort': { source: 'release goals: how it is tried', text: 'Aborting a stream reaches the engine.' },
  'examples.run': { source: 'release goals: self-description', text: 'Every example runs as printed.' },

  'document.parse': {
    source: 'decisions 6, document/parse',
    text: 'A document is read at once, under both prefixes, in the envelope, with usage.pages.',
  },
  'document.parse.json': {
    source: 'decisions 6, document/parse',
    text: 'prediction.all_pages[].classes[] with id, class, contents, level, table.',
  },
  'document.parse.formats': {
    source: 'decisions 6, document/parse',
    text: 'response_format html, markdown and text give the whole document.',
  },
  'document.parse.errors': {
    source: 'decisions 1, Error forms',
    text: 'Wrong fields, missing files, other types, large and unreadable documents have their codes.',
  },
  'document.parse.timeout': {
    source: 'decisions 6, document/parse',
    text: 'A document that takes too long is told of the endpoint that has more time.',
  },
  'document.async': {
    source: 'decisions 6, document/parse',
    text: 'POST document/parse/async answers {model,document_id,status:"RUNNING_INFERENCE"}, under both prefixes.',
  },
  'document.async.errors': {
    source: 'decisions 1, Error forms',
    text: 'Wrong fields and forms are refused at once, in the envelope.',
  },
  'document.async.restart': {
    source: 'release goals: documents',
    text: 'Documents that wait or are being read survive kill -9 and a stop, and are read after the next start.',
  },
  'document.async.fair': {
    source: 'release goals: documents',
    text: 'Tenants take turns, however many documents one has.',
  },
  'document.async.stop': {
    source: 'release goals: documents',
    text: 'What is being read when the service stops waits again at once.',
  },
  'document.content': {
    source: 'decisions 6, document/parse',
    text: 'GET document/{document_id}/content gives RUNNING_INFERENCE with progress, then SUCCESS as the parser does, with usage.pages.',
  },
  'document.content.formats': {
    source: 'decisions 6, document/parse',
    text: 'It has the format of the upload unless the query names another; a wrong one is a 400.',
  },
  'document.content.failed': {
    source: 'decisions 6, document/parse',
    text: 'A document that cannot be read is FAILED with a code and a sentence.',
  },
  'document.content.missing': {
    source: 'decisions 1, Tenant',
    text: "Unknown ids, expired ones and another tenant's are one and the same 404.",
  },
  'document.content.expiry': {
    source: 'release goals: documents',
    text: 'What was read is removed with its file after a configurable time.',
  },
} as const satisfies Requirements;
