import type { Requirements } from './entry.ts';

const create = 'Anthropic API reference: Create a Message';
const streaming = 'Anthropic API reference: Streaming messages';
const errors = 'Anthropic API reference: Errors';
const thinking = 'Anthropic API reference: Extended thinking, Adaptive thinking';
const tools = 'Anthropic API reference: Tool use';
const counting = 'Anthropic API reference: Count tokens in a Message';
const decided = 'decisions 1 and 3';

/** Messages in Anthropic's form. */
export const messagesRequirements = {
  'messages.reply.whole': {
    source: create,
    text: 'A reply is a message of the role assistant: id, model, content, stop_reason, stop_sequence, usage.',
  },
  'messages.reply.stop-reasons': {
    source: create,
    text: 'stop_reason is end_turn, max_tokens, stop_sequence (with the sequence), tool_use, refusal or model_context_window_exceeded.',
  },
  'messages.reply.usage': {
    source: create,
    text: 'usage has input_tokens without what was read from the cache, cache_read_input_tokens and output_tokens.',
  },
  'messages.request.system': {
    source: create,
    text: 'system is a text or a list of texts, marked for the cache or not.',
  },
  'messages.request.turns': { source: create, text: 'Messages of one role that follow each other are one turn.' },
  'messages.request.prefill': { source: create, text: 'A last message of the assistant is gone on with.' },
  'messages.request.sampling': {
    source: create,
    text: 'temperature, top_p, top_k, stop_sequences, max_tokens and metadata.user_id reach the model.',
  },
  'messages.request.max-tokens': {
    source: create,
    text: 'max_tokens may be more than the model has room for: the answer then ends where the context does.',
  },
  'messages.request.images': { source: create, text: 'Images in base64 and by address reach models that take images.' },
  'messages.request.documents': {
    source: create,
    text: 'Documents in base64, as text and as content reach the model as text, with title and context.',
  },
  'messages.request.passages': {
    source: create,
    text: 'Blocks search_result reach the model as text, with their title and source.',
  },
  'messages.request.format': {
    source: create,
    text: 'output_config.format and output_format ask for JSON of a schema.',
  },
  'messages.request.unknown-fields': {
    source: decided,
    text: 'Unknown fields are ignored and named in X-Ignored-Fields.',
  },
  'messages.request.refused': {
    source: create,
    text: 'What is not there is a 400 that names it: server tools, files by id, MCP servers, unknown blocks, and threads, by the code that makes clients go on without.',
  },
  'messages.request.invalid': { source: create, text: 'A wrong field is a 400 that names it.' },
  'messages.tools.call': { source: tools, text: 'A call is a block tool_use with id, name and input.' },
  'messages.tools.results': {
    source: tools,
    text: 'tool_result carries text, images, documents or nothing; is_error is told to the model.',
  },
  'messages.tools.choice': {
    source: tools,
    text: 'tool_choice auto, any, tool and none; disable_parallel_tool_use allows one call.',
  },
  'messages.thinking.config': { source: thinking, text: 'thinking is enabled with a budget, adaptive, or disabled.' },
  'messages.thinking.blocks': {
    source: thinking,
    text: 'Thinking is a block before the answer with a signature; display omitted leaves its text out.',
  },
  'messages.thinking.returned': {
    source: thinking,
    text: 'Blocks thinking and redacted_thinking of earlier answers are accepted.',
  },
  'messages.stream.order': {
    source: streaming,
    text: 'message_start, then each block (start, deltas, stop) in turn, message_delta, message_stop.',
  },
  'messages.stream.deltas': {
    source: streaming,
    text: 'Deltas are text_delta, thinking_delta, signature_delta and input_json_delta.',
  },
  'messages.stream.usage': {
    source: streaming,
    text: 'message_start has usage; message_delta has the usage of the whole answer.',
  },
  'messages.stream.ping': {
    source: streaming,
    text: 'Events ping come in between, also where nothing else is sent for a while.',
  },
  'messages.stream.error': {
    source: streaming,
    text: 'A failure in the middle is an event error, after which nothing comes.',
  },
  'messages.errors.form': {
    source: errors,
    text: '{type: "error", error: {type, message}, request_id}, also for wrong paths and methods below /v1/messages.',
  },
  'messages.errors.statuses': {
    source: errors,
    text: '400, 401, 403, 404 (also an unknown model), 413, 429, 500, 504 and 529, each with its type.',
  },
  'messages.request-id': { source: errors, text: 'Every reply carries the header request-id.' },
  'messages.headers': {
    source: create,
    text: 'anthropic-version and anthropic-beta are accepted, whatever they say.',
  },
  'messages.key.header': {
    source: 'docs/decisions/messages.md',
    text: 'x-api-key is read on these paths alone, beside a different key in Authorization it is a 401; revoked, limited and scoped as any key.',
  },
  'messages.count': { source: counting, text: 'count_tokens answers {input_tokens} for a request without max_tokens.' },
  'messages.reference.request': {
    source: 'types of @anthropic-ai/sdk 1, resources/messages',
    text: 'Each field of a request, and each part of output_config and thinking, is served, ignored by name, or refused by name.',
  },
  'messages.reference.blocks': {
    source: 'types of @anthropic-ai/sdk 1, resources/messages',
    text: 'Each type of block of a request is served or refused by name.',
  },
  'messages.reference.tools': {
    source: 'types of @anthropic-ai/sdk 1, resources/messages',
    text: 'Each type of tool is served or refused by name, and each field of tools of the caller is known or ignored by name.',
  },
  'messages.reference.answer': {
    source: 'types of @anthropic-ai/sdk 1, resources/messages',
    text: 'Fields, blocks, events and stop reasons of answers are of the reference; those that never come are listed.',
  },
} as const satisfies Requirements;
