import type { Requirements } from './entry.ts';

const extra = 'decisions 2, Request';

/** The request of a chat completion: fields, ranges, defaults, errors. */
export const chatRequestRequirements = {
  'chat.request.model.default': {
    source: 'interface 2.2 model; decisions 2',
    text: 'Without model the default model CORE-GOV-THINK answers.',
  },
  'chat.request.model.unknown': { source: 'decisions 2', text: 'An unknown model is a 400 with param model.' },
  'chat.request.model.unknown-lists': {
    source: 'decisions 2',
    text: 'The message for an unknown model lists the ids that the key may use.',
  },
  'chat.request.model.type': {
    source: 'interface 2.2 model',
    text: 'A model that is not a string is a 400 with param model.',
  },
  'chat.request.model.enum': { source: 'interface 4.1', text: 'All nine model ids of the interface are taken.' },
  'chat.request.model.not-chat': {
    source: 'decisions 2',
    text: 'An embedding model is no chat model: 400 with param model.',
  },
  'chat.request.messages.required': {
    source: 'interface 2.2 messages',
    text: 'Without messages: 400 with param messages.',
  },
  'chat.request.messages.minimum': {
    source: 'interface 2.2 messages; 8',
    text: 'An empty list of messages is a 400 with param messages.',
  },
  'chat.request.messages.type': {
    source: 'interface 2.2 messages',
    text: 'Messages that are no list, or hold what is no object, are a 400 that names the place.',
  },
  'chat.request.message.roles': {
    source: 'interface 2.2 role',
    text: 'The roles system, user and assistant are taken and reach the model in order.',
  },
  'chat.request.message.role.unknown': {
    source: 'interface 2.2 role',
    text: 'Another role, or none, is a 400 with param messages[i].role.',
  },
  'chat.request.message.content.required': {
    source: 'interface 2.2 content',
    text: 'A message without content is a 400 with param messages[i].content.',
  },
  'chat.request.message.content.type': {
    source: 'interface 2.2 content',
    text: 'Content that is neither text nor parts is a 400 with param messages[i].content.',
  },
  'chat.request.multi-turn': {
    source: 'interface 2.2 multi-turn rule',
    text: 'Earlier assistant messages with content only are passed to the model.',
  },
  'chat.request.temperature.range': {
    source: 'interface 2.2 temperature; 8',
    text: '0 and 2 are taken, beyond them 400 with param temperature.',
  },
  'chat.request.temperature.default': { source: 'interface 2.2 temperature', text: 'The default is 1.' },
  'chat.request.temperature.type': {
    source: 'interface 2.2 temperature',
    text: 'Not a number: 400 with param temperature.',
  },
  'chat.request.top_p.range': {
    source: 'interface 2.2 top_p; 8',
    text: '0 and 1 are taken, beyond them 400 with param top_p.',
  },
  'chat.request.top_p.default': { source: 'interface 2.2 top_p; 8', text: 'The default is 1, not the 0.9 of the FAQ.' },
  'chat.request.top_p.type': { source: 'interface 2.2 top_p', text: 'Not a number: 400 with param top_p.' },
  'chat.request.top_p.zero': {
    source: 'decisions 2',
    text: 'top_p 0 is answered even where the model server refuses 0.',
  },
  'chat.request.max_tokens.range': {
    source: 'interface 2.2 max_tokens; 8',
    text: '1 and 32768 are taken, 0 and 32769 are a 400 with param max_tokens.',
  },
  'chat.request.max_tokens.type': {
    source: 'interface 2.2 max_tokens',
    text: 'Not an integer: 400 with param max_tokens.',
  },
  'chat.request.max_tokens.absent': {
    source: 'decisions 2',
    text: 'Absent: the rest of the context, at most 32768 (not the 4096 of the FAQ).',
  },
  'chat.request.max_tokens.reasoning': {
    source: 'interface 2.2',
    text: 'It covers reasoning and answer: too small a value ends in length during reasoning, without an answer.',
  },
  'chat.request.max_completion_tokens': { source: extra, text: 'An alias of max_tokens with the same range.' },
  'chat.request.context.overflow.code': {
    source: 'decisions 1, Error forms; OpenAI API reference, "Error codes"',
    text: 'Such a failure has the code context_length_exceeded, by which clients know it.',
  },
  'chat.request.context.overflow': {
    source: 'decisions 2',
    text: "Prompt plus max_tokens past the model's context: 400 whose message has both numbers.",
  },
  'chat.request.stream.default': {
    source: 'interface 2.2 stream',
    text: 'Without stream, or with false or null, the reply is whole.',
  },
  'chat.request.stream.type': { source: 'interface 2.2 stream', text: 'Not a boolean: 400 with param stream.' },
  'chat.request.stop.string': { source: 'interface 2.2 stop', text: 'One string is a stop string.' },
  'chat.request.stop.array': { source: 'interface 2.2 stop', text: 'Each string of a list is a stop string.' },
  'chat.request.stop.type': {
    source: 'interface 2.2 stop',
    text: 'Another type, inside the list too: 400 with param stop.',
  },
  'chat.request.frequency_penalty.range': {
    source: 'interface 2.2; 8',
    text: '-2 and 2 are taken, beyond them 400 with param frequency_penalty.',
  },
  'chat.request.frequency_penalty.default': { source: 'interface 2.2; 8', text: 'The default is 0.' },
  'chat.request.presence_penalty.range': {
    source: 'interface 2.2; 8',
    text: '-2 and 2 are taken, beyond them 400 with param presence_penalty.',
  },
  'chat.request.presence_penalty.default': { source: 'interface 2.2; 8', text: 'The default is 0.' },
  'chat.request.tools.function': {
    source: 'interface 2.2 Tool',
    text: 'A tool has type function, a name, a description and a JSON Schema; it reaches the model as given.',
  },
  'chat.request.tools.type': {
    source: 'interface 2.2 Tool',
    text: 'A tool of another type or without function.name is a 400 that names the place.',
  },
  'chat.request.tools.empty': { source: extra, text: 'tools: [] is a 400 with param tools.' },
  'chat.request.tools.name': {
    source: extra,
    text: 'A tool name that is not 1 to 64 of [a-zA-Z0-9_-] is a 400 with param tools[i].function.name.',
  },
  'chat.request.tools.duplicate': { source: extra, text: 'Two tools of one name are a 400 that names the second.' },
  'chat.request.tool_choice.values': {
    source: 'interface 2.2 tool_choice; decisions 2',
    text: 'auto, none, required and a named function are taken and reach the model.',
  },
  'chat.request.tool_choice.invalid': {
    source: 'interface 2.2 tool_choice',
    text: 'Anything else is a 400 with param tool_choice.',
  },
  'chat.request.tool_choice.without-tools': {
    source: extra,
    text: 'tool_choice without tools is a 400 with param tool_choice.',
  },
  'chat.request.skip_special_tokens': {
    source: 'interface 2.2 skip_special_tokens',
    text: 'A boolean, default false; another type is a 400 that names it.',
  },
  'chat.request.user': { source: 'interface 2.2 user', text: 'A string; another type is a 400 that names it.' },
  'chat.request.chat_template_kwargs.type': {
    source: 'interface 2.2 chat_template_kwargs',
    text: 'Not an object: 400 with param chat_template_kwargs.',
  },
  'chat.request.chat_template_kwargs.unknown': {
    source: 'interface 2.2 and 7; decisions 2',
    text: 'A key that the model does not take is a 400 with param chat_template_kwargs.KEY.',
  },
  'chat.request.chat_template_kwargs.wrong-type': {
    source: 'interface 2.2 and 7; decisions 2',
    text: 'A value of a wrong type is a 400 with param chat_template_kwargs.KEY.',
  },
  'chat.request.force_reasoning': { source: 'interface 2.2', text: 'force_reasoning true turns reasoning on.' },
  'chat.request.skip_reasoning': {
    source: 'interface 2.2',
    text: 'skip_reasoning true turns reasoning off: content at once.',
  },
  'chat.request.force-and-skip': { source: 'interface 2.2; decisions 2', text: 'Both true: force_reasoning wins.' },
  'chat.request.neither-force-nor-skip': {
    source: 'interface 2.2',
    text: 'Neither: CORE-GOV-THINK reasons, CORE-GOV does not.',
  },

  'chat.request.role.tool': { source: extra, text: 'A message of role tool with tool_call_id reaches the model.' },
  'chat.request.role.tool.orphan': {
    source: extra,
    text: 'A tool message that answers no call is a 400 with param messages[i].tool_call_id.',
  },
  'chat.request.role.developer': { source: extra, text: 'A message of role developer reaches the model as system.' },
  'chat.request.assistant.null-content': {
    source: extra,
    text: 'An assistant message with tool_calls may have content null.',
  },
  'chat.request.assistant.reasoning-dropped': {
    source: 'interface 2.2 multi-turn rule; decisions 2',
    text: 'reasoning_content and reasoning of earlier replies are taken and never reach the model.',
  },
  'chat.request.content-parts.text': { source: extra, text: 'Content may be a list of text parts.' },
  'chat.request.content-parts.image': {
    source: extra,
    text: 'Models that take images get image_url parts with data: URLs.',
  },
  'chat.request.content-parts.image-refused': {
    source: extra,
    text: 'For other models an image is a 400 that names the part.',
  },
  'chat.request.content-parts.https-image': {
    source: extra,
    text: 'An https image is refused with a 400 unless the operator allows it.',
  },
  'chat.request.content-parts.https-image-fetched': {
    source: 'decisions 2, Request',
    text: 'Where the operator allows, https images are fetched behind the guard and reach the model server as data: URLs.',
  },
  'chat.request.content-parts.unknown': { source: extra, text: 'A part of another type is a 400 that names it.' },
  'chat.request.stream_options': {
    source: extra,
    text: 'stream_options.include_usage is a boolean; another type is a 400 that names it.',
  },
  'chat.request.stream_options.without-stream': {
    source: extra,
    text: 'stream_options without stream is a 400 with param stream_options.',
  },
  'chat.request.n': { source: extra, text: 'n choices; 0 or a fraction is a 400 with param n.' },
  'chat.request.seed': {
    source: extra,
    text: 'An integer that reaches the model; another type is a 400 that names it.',
  },
  'chat.request.logprobs': {
    source: extra,
    text: 'A boolean that reaches the model; another type is a 400 that names it.',
  },
  'chat.request.top_logprobs': { source: extra, text: '0 to 20; beyond it a 400 that names it.' },
  'chat.request.response_format': {
    source: extra,
    text: 'json_object and json_schema reach the model; another type is a 400 that names it.',
  },
  'chat.request.parallel_tool_calls': {
    source: extra,
    text: 'A boolean that reaches the model; another type is a 400 that names it.',
  },
  'chat.request.reasoning_effort': {
    source: extra,
    text: 'A known level is taken; another value is a 400 that names it.',
  },
  'chat.request.logit_bias': {
    source: extra,
    text: 'An object of numbers that reaches the model; another type is a 400 that names it.',
  },
  'chat.request.metadata': { source: extra, text: 'An object is taken; another type is a 400 that names it.' },
  'chat.request.service_tier': { source: extra, text: 'A string is taken; another type is a 400 that names it.' },
  'chat.request.ignore_eos': {
    source: extra,
    text: 'A boolean that reaches the model; another type is a 400 that names it.',
  },
  'chat.request.min_tokens': {
    source: extra,
    text: 'An integer from 0 that reaches the model; else a 400 that names it.',
  },
  'chat.request.top_k': { source: extra, text: 'An integer from -1 that reaches the model; else a 400 that names it.' },
  'chat.request.min_p': { source: extra, text: '0 to 1, reaches the model; else a 400 that names it.' },
  'chat.request.repetition_penalty': {
    source: extra,
    text: 'A number above 0 that reaches the model; else a 400 that names it.',
  },
  'chat.request.unknown-fields': { source: extra, text: 'Unknown top-level fields are taken and ignored.' },
  'chat.request.null-fields': { source: extra, text: 'null in an optional field means that it is absent.' },
  'chat.request.kv_transfer_params': { source: extra, text: 'kv_transfer_params never reaches the model server.' },
  'chat.request.duplicate-keys': {
    source: 'hot-path 2 (no parser differential)',
    text: 'Of a key given twice the model server sees the value that was checked, and only it.',
  },
  'chat.request.bytes-kept': {
    source: 'decisions 2',
    text: 'Text reaches the model server as it was sent, in any script, escaped or not.',
  },
} as const satisfies Requirements;
