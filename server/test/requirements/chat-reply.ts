import type { Requirements } from './entry.ts';

const table = 'decisions 2, model table; interface 6';

/** Replies and streams of a chat completion, and what each model does. */
export const chatReplyRequirements = {
  'chat.reply.keys': {
    source: 'interface 2.3; decisions 2, Whole reply',
    text: 'A whole reply has exactly the keys of the table, nulls included.',
  },
  'chat.reply.content-type': { source: 'interface 4.1', text: 'A whole reply is application/json.' },
  'chat.reply.id': {
    source: 'interface 2.3 id; decisions 1, Ids',
    text: 'id is chatcmpl- and 32 hex characters, new for each request.',
  },
  'chat.reply.object': { source: 'interface 2.3 object', text: 'object is chat.completion.' },
  'chat.reply.created': { source: 'interface 2.3 created', text: 'created is a Unix time in seconds.' },
  'chat.reply.model': {
    source: 'interface 2.3 model',
    text: 'model is the id of the catalogue that was asked for, not the name at the model server.',
  },
  'chat.reply.index': { source: 'interface 2.3 choices[].index', text: 'Choices are numbered from 0.' },
  'chat.reply.role': { source: 'interface 2.3 message.role', text: 'message.role is always assistant.' },
  'chat.reply.content': {
    source: 'interface 2.3 message.content',
    text: 'message.content is the answer, in any script.',
  },
  'chat.reply.content-null': {
    source: 'decisions 2, Whole reply',
    text: 'content is null when there are only tool calls.',
  },
  'chat.reply.content-with-tools': {
    source: 'interface 2.3 message.content',
    text: 'Text beside tool calls stays in content.',
  },
  'chat.reply.reasoning-null': {
    source: 'interface 2.3 reasoning_content',
    text: 'The reasoning key of a model is null when there was no reasoning.',
  },
  'chat.reply.tool_calls.empty': { source: 'interface 2.3 tool_calls', text: 'tool_calls is [] when there are none.' },
  'chat.reply.tool_calls.item': {
    source: 'interface 2.3, tool call item',
    text: 'A call has id, type function, function.name and function.arguments, a string of JSON.',
  },
  'chat.reply.logprobs.null': { source: 'interface 2.3 logprobs', text: 'logprobs is null unless asked for.' },
  'chat.reply.logprobs': {
    source: 'interface 2.3 logprobs',
    text: 'logprobs of the model server arrive, whole and streamed.',
  },
  'chat.reply.finish.stop': {
    source: 'interface 2.3 finish_reason',
    text: 'finish_reason stop at a natural end or a stop string.',
  },
  'chat.reply.finish.length': { source: 'interface 2.3 finish_reason', text: 'finish_reason length at the limit.' },
  'chat.reply.finish.tool_calls': {
    source: 'interface 4.1; decisions 2, Whole reply',
    text: 'finish_reason tool_calls whenever tools were called, whatever the engine said.',
  },
  'chat.reply.finish.length-kept': {
    source: 'decisions 2, Whole reply',
    text: 'length is never overwritten, not even with tool calls.',
  },
  'chat.reply.stop_reason': {
    source: 'interface 2.3 stop_reason',
    text: 'stop_reason is the stop string that ended the reply.',
  },
  'chat.reply.stop_reason.null': {
    source: 'decisions 2, Whole reply',
    text: 'Otherwise it is null, never a token id.',
  },
  'chat.reply.usage': {
    source: 'interface 2.3 usage',
    text: 'prompt_tokens, completion_tokens and their sum total_tokens.',
  },
  'chat.reply.usage.reasoning': {
    source: 'interface 2.3 usage; 6.6',
    text: 'completion_tokens counts reasoning and answer.',
  },
  'chat.reply.usage.reasoning_tokens': {
    source: 'decisions 2',
    text: 'completion_tokens_details.reasoning_tokens is given when known.',
  },
  'chat.reply.usage.missing': {
    source: 'interface 2.3 usage',
    text: 'A model server that counts nothing still gives a reply with usage.',
  },
  'chat.reply.prompt_tokens_details': {
    source: 'interface 2.3',
    text: "prompt_tokens_details is there: null, or the model server's object.",
  },
  'chat.reply.prompt_logprobs': {
    source: 'interface 2.3',
    text: 'prompt_logprobs is there, null unless the engine gave it.',
  },
  'chat.reply.service_tier': { source: 'interface 2.3', text: 'service_tier is there, a string or null.' },
  'chat.reply.system_fingerprint': {
    source: 'interface 2.3',
    text: "system_fingerprint is the model server's, or null; builtin for the built-in engine.",
  },
  'chat.reply.kv_transfer_params': {
    source: 'interface 2.3; decisions 2',
    text: 'kv_transfer_params is null whatever the model server says.',
  },
  'chat.reply.n': { source: 'decisions 2, Request', text: 'n > 1 gives n choices with their own text and finish.' },

  'chat.stream.headers': {
    source: 'decisions 2, Stream',
    text: 'Content-Type text/event-stream; charset=utf-8, Cache-Control no-cache, X-Accel-Buffering no.',
  },
  'chat.stream.event-form': {
    source: 'interface 6.1',
    text: 'Each event is one line data: and a JSON chunk, then an empty line.',
  },
  'chat.stream.first-chunk': {
    source: 'interface 6.2',
    text: 'The first chunk has delta.role assistant and delta.content "".',
  },
  'chat.stream.id': { source: 'interface 2.4 id', text: 'All chunks of a reply have one id, created and model.' },
  'chat.stream.object': { source: 'interface 2.4 object', text: 'object is chat.completion.chunk.' },
  'chat.stream.choice': {
    source: 'interface 2.4',
    text: 'A chunk has id, object, created, model and choices with index, delta, logprobs and finish_reason.',
  },
  'chat.stream.delta-keys': {
    source: 'interface 2.4 delta',
    text: 'A delta holds role, content, the reasoning keys of its model and tool_calls, nothing else.',
  },
  'chat.stream.reasoning-first': { source: 'interface 6.3', text: 'Reasoning deltas come before content deltas.' },
  'chat.stream.finish': {
    source: 'interface 6.4 and 2.4',
    text: 'finish_reason is null up to the last chunk of a choice, which has finish_reason and stop_reason.',
  },
  'chat.stream.done': { source: 'interface 6.5', text: 'The stream ends with data: [DONE].' },
  'chat.stream.joined': {
    source: 'interface 6',
    text: 'The joined deltas are the whole reply, wherever the engine cut them.',
  },
  'chat.stream.as-made': {
    source: 'interface 1',
    text: 'A delta is delivered before the model server has made the next one.',
  },
  'chat.stream.include_usage': {
    source: 'decisions 2, Stream',
    text: 'With include_usage one more chunk with choices [] and usage comes before [DONE].',
  },
  'chat.stream.no-usage': { source: 'decisions 2, Stream', text: 'Without it no chunk has usage.' },
  'chat.stream.ping': { source: 'decisions 2, Stream', text: 'A comment line ": ping" every 15 s of silence.' },
  'chat.stream.error-before': {
    source: 'decisions 2, Stream',
    text: 'A failure before the first byte is an ordinary HTTP error.',
  },
  'chat.stream.error-after': {
    source: 'decisions 2, Stream',
    text: 'After it: one event with error, then the end without [DONE].',
  },
  'chat.stream.no-finish': {
    source: 'decisions 2, Stream',
    text: 'A model server that ends without a finish reason is such a failure.',
  },
  'chat.stream.n': {
    source: 'decisions 2, Request',
    text: 'With n > 1 each choice has its own role chunk, text and finish under its index.',
  },
  'chat.stream.upstream-form': {
    source: 'decisions 2, Stream',
    text: 'CRLF, comments, split characters and cuts at any byte in the stream of a model server change nothing.',
  },

  'chat.model.CORE-GOV-THINK.key': {
    source: table,
    text: 'reasoning_content in replies and deltas, no other reasoning key.',
  },
  'chat.model.CORE-GOV-THINK.default': { source: table, text: 'Reasons by default.' },
  'chat.model.CORE-GOV-THINK.template-keys': {
    source: table,
    text: 'Takes force_reasoning and skip_reasoning, no other key.',
  },
  'chat.model.CORE-GOV-THINK.context': { source: 'interface 4.1 and 8', text: 'The context is 128K tokens.' },
  'chat.model.CORE-GOV.key': {
    source: table,
    text: 'reasoning_content null in replies, no reasoning delta; both appear when forced.',
  },
  'chat.model.CORE-GOV.default': { source: table, text: 'Does not reason by default.' },
  'chat.model.CORE-GOV.template-keys': {
    source: table,
    text: 'Takes force_reasoning and skip_reasoning, no other key.',
  },
  'chat.model.CORE-GOV-VLM.key': { source: table, text: 'reasoning_content in replies and deltas.' },
  'chat.model.CORE-GOV-VLM.default': { source: table, text: 'Does not reason by default.' },
  'chat.model.CORE-GOV-VLM.template-keys': {
    source: table,
    text: 'Takes force_reasoning and skip_reasoning, no other key.',
  },
  'chat.model.CORE-GOV-VLM.images': { source: 'decisions 2, Models are data', text: 'Takes images.' },
  'chat.model.CORE-GOV-THINK-V1-32B.key': {
    source: table,
    text: 'reasoning and reasoning_content with the same text.',
  },
  'chat.model.CORE-GOV-THINK-V1-32B.default': { source: table, text: 'Reasons by default.' },
  'chat.model.CORE-GOV-THINK-V1-32B.template-keys': {
    source: table,
    text: 'Takes force_reasoning, skip_reasoning and thinking, no other key.',
  },
  'chat.model.K-Large-236B.key': { source: table, text: 'reasoning, and no reasoning_content.' },
  'chat.model.K-Large-236B.default': { source: table, text: 'Reasons by default.' },
  'chat.model.K-Large-236B.template-keys': { source: table, text: 'Takes enable_thinking, no other key.' },
  'chat.model.LLM42-Open4.key': { source: table, text: 'reasoning, and no reasoning_content.' },
  'chat.model.LLM42-Open4.default': { source: table, text: 'Reasons by default.' },
  'chat.model.LLM42-Open4.template-keys': { source: table, text: 'Takes enable_thinking, no other key.' },
  'chat.model.gpt-oss-120b.key': { source: table, text: 'reasoning_content, and no reasoning.' },
  'chat.model.gpt-oss-120b.default': { source: table, text: 'Reasons by default.' },
  'chat.model.gpt-oss-120b.template-keys': {
    source: table,
    text: 'Takes reasoning_effort low, medium or high, no other key or value.',
  },
  'chat.model.gpt-oss-120b.last-chunk': {
    source: 'interface 6, key table',
    text: 'The last chunk has an empty delta.',
  },
  'chat.model.LLM42.key': { source: table, text: 'No reasoning key at all.' },
  'chat.model.LLM42.template-keys': { source: table, text: 'Takes no template key.' },
  'chat.model.LLM42.images': { source: table, text: 'Takes images.' },
  'chat.model.LLM42-Translate.key': { source: table, text: 'No reasoning key at all.' },
  'chat.model.LLM42-Translate.template-keys': {
    source: table,
    text: 'Takes source_language and target_language, BCP 47 tags, no other key.',
  },
  'chat.model.tenth': {
    source: 'decisions 2, Models are data',
    text: 'A tenth model is an entry of the configuration.',
  },
  'chat.model.switch': {
    source: 'decisions 2, Models are data',
    text: "A template key reaches the engine as that engine's own switch.",
  },

  'chat.reasoning.reasoning_content': {
    source: 'decisions 2',
    text: 'Reasoning of an engine that uses reasoning_content is found.',
  },
  'chat.reasoning.reasoning': { source: 'decisions 2', text: 'Reasoning of an engine that uses reasoning is found.' },
  'chat.reasoning.both-keys': { source: 'decisions 2', text: 'An engine that sends both keys gives the text once.' },
  'chat.reasoning.tags': { source: 'decisions 2', text: 'Inline think tags are found and are not part of the text.' },
  'chat.reasoning.tags-cut': { source: 'decisions 2', text: 'Tags that are cut anywhere give the same result.' },
  'chat.reasoning.missing-open': {
    source: 'decisions 2',
    text: 'A missing opening tag: what is before the closing tag is reasoning.',
  },
  'chat.reasoning.harmony': {
    source: 'decisions 2',
    text: 'Harmony channels: analysis is reasoning, final is the answer, no control token in either.',
  },
  'chat.reasoning.never-in-content': {
    source: 'decisions 2',
    text: 'Reasoning is never in content, whole or streamed, whatever the model.',
  },
  'chat.reasoning.tag-in-answer': {
    source: 'decisions 2',
    text: 'An answer that speaks of think tags after the reasoning stays whole.',
  },
  'chat.reasoning.control-tokens': {
    source: 'decisions 2',
    text: "Control tokens of the model's template never reach content, also cut across deltas.",
  },

  'chat.tools.whole': {
    source: 'interface 2.3 and 4.1',
    text: 'A whole reply holds the calls with id, name and arguments.',
  },
  'chat.tools.stream': {
    source: 'decisions 2, Stream',
    text: 'Other models open each call with index, id, type and name; arguments follow.',
  },
  'chat.tools.stream.think': {
    source: 'interface 4.1; decisions 2, Stream',
    text: 'CORE-GOV-THINK sends only index and function.arguments.',
  },
  'chat.tools.stream.header': {
    source: 'decisions 2, Stream',
    text: 'X-Tool-Stream: openai puts one opening delta with id, type, name and arguments "" before them.',
  },
  'chat.tools.stream.model-switch': { source: 'decisions 2, Stream', text: 'The same switch on the model.' },
  'chat.tools.stream.key-switch': { source: 'decisions 2, Stream', text: 'The same switch on the API key.' },
  'chat.tools.parallel': {
    source: 'interface 2.4 tool_calls[].index',
    text: 'Several calls of one reply keep their order and indexes.',
  },
  'chat.tools.two-turns': {
    source: 'decisions 2, Request',
    text: 'The call and its answer go back to the model in the next turn.',
  },

  'chat.stop.held-back': {
    source: 'interface 2.2 stop',
    text: 'A stop string cut across deltas ends the reply and no part of it is sent.',
  },
  'chat.stop.not-a-stop': {
    source: 'interface 2.2 stop',
    text: 'What only began like a stop string is delivered in the end.',
  },
  'chat.stop.whole': {
    source: 'interface 2.2 stop',
    text: 'A whole reply ends before the stop string, which stop_reason names.',
  },
  'chat.stop.reasoning': {
    source: 'decisions 2, Whole reply',
    text: 'With reasoning a stop string ends the reply and reasoning is not lost.',
  },

  'chat.failure.refused': {
    source: 'decisions 1, Error forms',
    text: "A model server's 400 is a 400 that repeats its reason.",
  },
  'chat.failure.unavailable': {
    source: 'decisions 1, Error forms',
    text: 'A model server that is not reachable is a 503.',
  },
  'chat.failure.protocol': {
    source: 'interface 7',
    text: 'A model server that answers something else is a 5xx in the error form.',
  },
  'chat.failure.upstream-429': {
    source: 'decisions 2, Stream',
    text: 'A limit of a model server is a 429, its overload a 503, with its Retry-After and for this model alone.',
  },
  'chat.retry': {
    source: 'decisions 2, Stream',
    text: 'A call that failed before its first byte is tried at another address.',
  },
  'chat.fallback': {
    source: 'decisions 2, Stream',
    text: 'When all addresses of one priority fail the next priority answers.',
  },
  'chat.retry.never-after': { source: 'decisions 2, Stream', text: 'Once something was sent nothing is tried again.' },
  'chat.timeout.connect': {
    source: 'decisions 2, Stream',
    text: '504 that names the connect limit, or 503 where the connection is refused.',
  },
  'chat.timeout.first_token': { source: 'decisions 2, Stream', text: '504 that names the first-token limit.' },
  'chat.timeout.between_tokens': {
    source: 'decisions 2, Stream',
    text: 'An error event that names the between-token limit.',
  },
  'chat.timeout.total': { source: 'decisions 2, Stream', text: '504 that names the total limit.' },
  'chat.abort.queue': {
    source: 'decisions 2, Stream',
    text: 'A client that goes away while it waits for an engine is never sent to one.',
  },
  'chat.abort.before-headers': {
    source: 'decisions 2, Stream',
    text: 'Gone before the engine answered: the engine sees the abort.',
  },
  'chat.abort.before-first-token': {
    source: 'decisions 2, Stream',
    text: 'Gone before the first token: the engine sees the abort.',
  },
  'chat.abort.in-stream': { source: 'decisions 2, Stream', text: 'Gone in the stream: the engine sees the abort.' },
  'chat.abort.whole': { source: 'decisions 2, Stream', text: 'The same where the reply is not streamed.' },
  'chat.abort.counted': { source: 'decisions 2, Stream', text: 'What was generated up to then is counted.' },
} as const satisfies Requirements;
