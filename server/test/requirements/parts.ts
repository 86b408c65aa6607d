import type { Requirements } from './entry.ts';

const issue = 'release goals: parts for others';

/** What is asked of the parts that programs of others use: readers of documents, tools, agents as models. */
export const partRequirements = {
  'parts.loader': {
    source: 'Open WebUI 0.6, retrieval/loaders/external_document.py',
    text: 'PUT /v1/document/process takes bytes, with X-Filename percent-encoded, and answers pages with page from 0, or one entry; a document without text is a 422 with the words that Open WebUI knows.',
  },
  'parts.docling': {
    source: 'docling-serve 1.31, POST /v1/convert/file',
    text: 'A form with files and to_formats is answered with md_content, text_content, html_content, json_content, status, errors and processing_time; failures have a detail; X-Api-Key is a key there.',
  },
  'parts.tika': {
    source: 'Apache Tika 3, TikaResource and RecursiveMetadataResource',
    text: 'PUT /v1/tika, /v1/tika/text and /v1/rmeta give text, XHTML or JSON by path and Accept, at the root as well; headers of Tika change nothing; the key may be the password of the address.',
  },
  'parts.hwp': { source: issue, text: 'Any of them reads HWP.' },
  'parts.bounds': {
    source: `${issue}; decisions 1, Body limits`,
    text: 'Files are bounded, empty and compressed bodies refused, and no file stays behind.',
  },
  'parts.keys': {
    source: `${issue}; decisions 1, Key`,
    text: 'The other places of a key are read on the paths of their clients alone; scopes, limits, usage are those of every call.',
  },
  'parts.docling.async': {
    source: 'docling-serve 1.31, POST /v1/convert/file/async, GET /v1/status/poll/{task_id} and /v1/result/{task_id}',
    text: 'A conversion in the background is begun, waited for, and given in the forms that were asked for; to other tenants it is not there.',
  },
  'parts.tools': {
    source: issue,
    text: '/openapi-tools.json is a small valid OpenAPI document of search_documents, list_collections, parse_document and mask_personal_values, each of which works as it says, with the key of its caller.',
  },
  'parts.agents.listed': {
    source: issue,
    text: 'Deployed agents of the tenant are listed as agent/SLUG with their names to keys that want so and may call agents, and to no others.',
  },
  'parts.agents.chat': {
    source: issue,
    text: 'A chat that names an agent is answered by it, whole and as a stream, with usage; openai and AI SDK read it.',
  },
  'parts.agents.responses': {
    source: `${issue}; OpenAI API reference, "Responses"`,
    text: 'A response that names an agent is answered by it as a chat is: whole, as a stream and in the background, gone on from, with url_citation annotations; fields without an effect are named, tools of the caller refused.',
  },
  'parts.agents.messages': {
    source: `${issue}; Anthropic API reference, "Messages"`,
    text: 'A message that names an agent is answered by it as a chat is, whole and as a stream, with its sources below the text; fields without an effect are named, tools of the caller refused.',
  },
  'parts.agents.files': {
    source: `${issue}; decisions 3; OpenAI API reference, input_file; Anthropic API reference, document`,
    text: 'Files of Responses (input_file, by data and by id) and documents of Messages reach an agent that takes files as files, in the background too; others are given what they say.',
  },
  'parts.agents.batches': {
    source: `${issue}; decisions 3, files and batches`,
    text: 'Lines of batches of chats and responses name agents for keys to which they are models; the run of a line is begun once, also where its process is gone, and one that failed is not run again.',
  },
  'parts.agents.citations': {
    source: `${issue}; OpenAI API reference, annotations`,
    text: 'Sources are annotations of type url_citation with places in the answer, in replies and in deltas.',
  },
  'parts.agents.conversation': {
    source: issue,
    text: 'What was said before is told to the run; a conversation is one session; a question of the agent comes as text, and the next message answers it.',
  },
  'parts.agents.failures': {
    source: `${issue}; decisions 1, Error forms`,
    text: 'A run that fails is an error in the form of chats, which clients do not repeat; an agent that is not there, not deployed or of another tenant is a model that does not exist.',
  },
  'parts.agents.gone': {
    source: `${issue}; decisions 2, Stream`,
    text: 'When the caller of such a chat goes away, the run ends and the model is stopped.',
  },
} as const satisfies Requirements;
