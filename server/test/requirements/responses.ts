import type { Requirements } from './entry.ts';

/** What POST /v1/responses, what is kept of it, and conversations do. */
export const responseRequirements = {
  'responses.create.text': {
    source: 'OpenAI API reference, Responses, create',
    text: 'A text, or items, is answered with items of thinking and text, in order, and usage.',
  },
  'responses.stream.order': {
    source: 'OpenAI API reference, Responses, streaming events',
    text: 'A stream opens with response.created and response.in_progress, numbers its events from 0 without a gap, tells the beginning and the end of each item, and ends with one event of the whole.',
  },
  'responses.reasoning.summary': {
    source: 'OpenAI API reference, Responses, reasoning',
    text: 'With reasoning.summary thinking is told as a summary, and with include as encrypted_content that only the service opens.',
  },
  'responses.images': {
    source: 'OpenAI API reference, Responses, input, input_image',
    text: 'Images by address or as data reach models that take images, with their detail; by the id of a file they are refused.',
  },
  'responses.instructions': {
    source: 'OpenAI API reference, Responses, instructions, previous_response_id',
    text: 'instructions stand before the items of one answer, and are not those of a response that goes on from it.',
  },
  'responses.reasoning.effort': {
    source: 'OpenAI API reference, Responses, reasoning.effort',
    text: 'none answers without thinking; other efforts are those of the model.',
  },
  'responses.parallel-tool-calls': {
    source: 'OpenAI API reference, Responses, parallel_tool_calls',
    text: 'parallel_tool_calls reaches the model and is said back.',
  },
  'responses.logprobs': {
    source: 'OpenAI API reference, Responses, top_logprobs, include',
    text: 'Log probabilities come with the text where include or top_logprobs asks for them.',
  },
  'responses.echo': {
    source: 'OpenAI API reference, Responses, the response object',
    text: 'A response says back metadata, user, safety_identifier, prompt_cache_key and the settings, and tells the tier default.',
  },
  'responses.unstored': {
    source: 'OpenAI API reference, Responses, store',
    text: 'With store: false a response can neither be read nor gone on from.',
  },
  'responses.input-items': {
    source: 'OpenAI API reference, Responses, input items, limit, order, after',
    text: 'Items of a request are listed page by page, in both orders, behind one of them.',
  },
  'responses.functions': {
    source: 'OpenAI API reference, Responses, function calling',
    text: 'Functions of the caller are called, several in one answer, and their results are given by function_call_output.',
  },
  'responses.stored': {
    source: 'OpenAI API reference, Responses, get, delete, input items',
    text: 'A kept response is read, lists its input items, and is gone once deleted; one that goes on from it is refused then.',
  },
  'responses.references': {
    source: 'OpenAI API reference, Responses, input, item_reference',
    text: 'Items of kept responses are given by reference.',
  },
  'responses.structured': {
    source: 'OpenAI API reference, Responses, text.format',
    text: 'text.format, temperature and max_output_tokens reach the model; an answer that was cut is incomplete and says why.',
  },
  'responses.files.counted': {
    source: 'decisions 1, limits',
    text: 'A request is counted against the limits of its key before its documents are read, and once.',
  },
  'responses.files': {
    source: 'OpenAI API reference, Responses, input_file',
    text: 'A document in a request is read by the service and given to the model as text.',
  },
  'responses.errors': {
    source: 'OpenAI API reference, Responses, errors',
    text: 'What is wrong with a request is a 400 or 404 whose param names it.',
  },
  'responses.failed': {
    source: 'OpenAI API reference, Responses, response.failed',
    text: 'A failure before the first event is an HTTP error; behind it, it is response.failed.',
  },
  'responses.truncation': {
    source: 'OpenAI API reference, Responses, truncation',
    text: 'truncation auto leaves out the oldest items where all are longer than the context; disabled refuses.',
  },
  'responses.background.status': {
    source: 'OpenAI API reference, Responses, background mode',
    text: 'A response in the background is queued, then in_progress, then as it ended.',
  },
  'responses.background.poll': {
    source: 'OpenAI API reference, Responses, background mode',
    text: 'GET tells of a response in the background until it has ended, with its output and usage; it can be gone on from then, and not before.',
  },
  'responses.background.stream': {
    source: 'OpenAI API reference, Responses, background mode',
    text: 'background and stream together tell the events of one that goes on when its reader leaves; response.queued stands behind response.created.',
  },
  'responses.background.resume': {
    source: 'OpenAI API reference, Responses, get, starting_after',
    text: 'GET with stream and starting_after tells the events behind a number, each with the number that it always has.',
  },
  'responses.background.cancel': {
    source: 'OpenAI API reference, Responses, cancel',
    text: 'A cancel ends a response in the background, stops its model, keeps what there is of it, and changes nothing of one that has ended.',
  },
  'responses.background.failure': {
    source: 'OpenAI API reference, Responses, background mode',
    text: 'One whose model fails is failed, and says why.',
  },
  'responses.background.refused': {
    source: 'OpenAI API reference, Responses, background mode',
    text: 'background with store: false is a 400, and what is wrong with a request is told before it waits.',
  },
  'responses.background.kill': {
    source: 'decisions 3; Responses, background mode',
    text: 'Responses in the background outlive kills of any process: none is lost, answered twice or left open.',
  },
  'responses.background.half-told': {
    source: 'OpenAI API reference, Responses, get, starting_after',
    text: 'A stream whose process ended in the middle goes on behind what was told, on another process, and repeats nothing.',
  },
  'responses.background.tools-once': {
    source: 'OpenAI API reference, Responses, MCP tools',
    text: 'A call of a tool that a kill cut off is made again under the same key, and one that had ended is not made again.',
  },
  'responses.conversation.turns': {
    source: 'OpenAI API reference, Responses, conversation',
    text: 'A response with conversation is told its items, and adds its own, kept or not.',
  },
  'responses.conversation.crud': {
    source: 'OpenAI API reference, Conversations, create, get, update, delete',
    text: 'A conversation is created with items and metadata, read, changed and deleted.',
  },
  'responses.conversation.items': {
    source: 'OpenAI API reference, Conversations, items',
    text: 'Items are added, listed page by page, read and deleted.',
  },
  'responses.conversation.refused': {
    source: 'OpenAI API reference, Conversations',
    text: 'A conversation of another tenant or none is a 404; more than 20 items or 16 metadata are a 400.',
  },
  'responses.conversation.tenant': {
    source: 'decisions 1, Tenant',
    text: 'Conversations and responses in the background of another tenant answer as if they were not there.',
  },
  'responses.file-search': {
    source: 'OpenAI API reference, Responses, file search',
    text: 'file_search finds passages of collections by their ids, within filters, and the model answers from them.',
  },
  'responses.file-search.citations': {
    source: 'OpenAI API reference, Responses, annotations',
    text: 'What the model cites is a file_citation with the document and the place in the text.',
  },
  'responses.file-search.results': {
    source: 'OpenAI API reference, Responses, include',
    text: 'Passages are told where include asks for file_search_call.results, also when it is asked later.',
  },
  'responses.file-search.events': {
    source: 'OpenAI API reference, Responses, streaming events',
    text: 'A search tells in_progress, searching and completed within its item.',
  },
  'responses.file-search.refused': {
    source: 'decisions 1, Tenant',
    text: 'A collection that is not the tenant’s is a 404, and a filter that cannot be a 400, before a model is asked.',
  },
  'responses.mcp': {
    source: 'OpenAI API reference, Responses, MCP tools',
    text: 'Tools of a connected server are listed once and called, and the model is told what they gave.',
  },
  'responses.mcp.events': {
    source: 'OpenAI API reference, Responses, streaming events',
    text: 'mcp_list_tools and mcp_call tell their steps and arguments.',
  },
  'responses.mcp.approval': {
    source: 'OpenAI API reference, Responses, MCP tools, require_approval',
    text: 'A call that needs approval is asked for by mcp_approval_request and made once mcp_approval_response approves it.',
  },
  'responses.mcp.refused': {
    source: 'OpenAI API reference, Responses, MCP tools',
    text: 'A server that is not connected, a tool that it has not, and secrets in a request are a 400 that says what to do.',
  },
  'responses.web-search': {
    source: 'OpenAI API reference, Responses, web search',
    text: 'web_search asks the server of the operator; what is cited is a url_citation.',
  },
  'responses.max-tool-calls': {
    source: 'OpenAI API reference, Responses, max_tool_calls',
    text: 'No more tools of the service are called than max_tool_calls, and the model answers with what there is.',
  },
  'responses.tools.mixed': {
    source: 'OpenAI API reference, Responses, tools',
    text: 'A turn with tools of both sides runs those of the service and then asks the caller.',
  },
  'responses.tools.choice': {
    source: 'OpenAI API reference, Responses, tool_choice',
    text: 'tool_choice names tools of the service by their type, and allowed_tools those that may be called.',
  },
  'responses.tools.scopes': {
    source: 'decisions 3; interface 1',
    text: 'file_search needs a key with the scope retrieval, and tools of servers one with the scope agents.',
  },
  'responses.usage': {
    source: 'OpenAI API reference, Responses, usage',
    text: 'usage is the sum of all turns of a response.',
  },
  'responses.clients.agents': {
    source: 'decisions 3',
    text: 'The OpenAI Agents SDK runs with hosted file search and hosted MCP servers, whole and streamed.',
  },
  'responses.clients.ai-sdk': {
    source: 'decisions 3',
    text: 'The AI SDK reads answers and sources of hosted file search, whole and streamed.',
  },
  'responses.clients.langchain': {
    source: 'decisions 3',
    text: 'LangChain reads answers of hosted file search, whole and streamed.',
  },
  'responses.reference.request': {
    source: 'types of openai 7, resources/responses',
    text: 'Each field of a request, and each part of reasoning, text and include, is served, ignored by name, or refused by name.',
  },
  'responses.reference.items': {
    source: 'types of openai 7, resources/responses',
    text: 'Each type of item of a request is served or refused by name; those of answers are of the reference.',
  },
  'responses.reference.tools': {
    source: 'types of openai 7, resources/responses',
    text: 'Each type of tool is served or refused by name, and each field of those that are served is known or ignored by name.',
  },
  'responses.reference.answer': {
    source: 'types of openai 7, resources/responses',
    text: 'An answer has the fields, states and reasons of the reference, as far as they have a meaning here.',
  },
  'responses.reference.events': {
    source: 'types of openai 7, resources/responses',
    text: 'Events of streams are of the reference; those that are never told are listed.',
  },
} as const satisfies Requirements;
