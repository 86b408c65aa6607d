import { inputItemTypes, withType } from '@ai-studio/contract/responses/items.ts';
import { ResponseRequest, ResponseTool, responseToolTypes } from '@ai-studio/contract/responses/request.ts';
import { compileCheck } from '../inference/index.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';
import { webSearchesIn } from './tool-names.ts';
import { createUnknownFields } from './unknown-fields.ts';

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts of the caller that are kept with an answer. */
const MAX_METADATA = 16;

const { explain } = compileCheck(ResponseRequest);

/** Why tools that others run are not here. */
const otherTools: Readonly<Record<string, string>> = {
  custom: 'free-form input with grammars is not supported; declare a function with one string as its parameter',
};

function refuseUnknownItem(item: unknown, at: number): void {
  if (!isObject(item)) return;
  const { type } = item;
  if (typeof type !== 'string' || (inputItemTypes as readonly string[]).includes(type)) return;
  throw invalidRequest(
    `input[${at}].type ${quoteId(type)} is not an item that can be given here: use ${inputItemTypes.join(', ')}`,
    `input[${at}].type`,
  );
}

function refuseUnknownTool(tool: unknown, at: number): void {
  if (!isObject(tool) || typeof tool['type'] !== 'string' || responseToolTypes.has(tool['type'])) return;
  const why = otherTools[tool['type']] ?? `there are ${[...responseToolTypes].join(', ')}`;
  throw invalidRequest(`tools[${at}].type ${quoteId(tool['type'])} is not available: ${why}`, `tools[${at}].type`);
}

/** A request that was checked, and the names of what in it is left out. */
export interface ReadRequest {
  readonly request: ResponseRequest;
  readonly ignored: readonly string[];
}

const unknownFields = createUnknownFields(ResponseRequest, {
  objects: ['reasoning', 'text', 'stream_options'],
  toolOf: ({ type }) => ResponseTool.options.find(({ shape }) => shape.type.safeParse(type).success) ?? null,
});
/** Fields that ask for what is not there: leaving them out would answer something else. */
const refusedFields: Readonly<Record<string, string>> = {
  prompt: 'stored prompts are not kept here; give instructions and input',
  moderation: 'no moderation model is bound here; the guard of the tenant looks after personal values',
  context_management: 'is not supported; truncation: "auto" leaves out the oldest items',
};

/** Checks a body. Throws StudioError `invalid_request`, which names what is wrong. */
export function readRequest(body: unknown, { searchesWeb }: { readonly searchesWeb: boolean }): ReadRequest {
  if (!isObject(body)) throw invalidRequest('The body must be a JSON object');
  for (const [name, why] of Object.entries(refusedFields))
    if (body[name] !== undefined && body[name] !== null) throw invalidRequest(`${name}: ${why}`, name);
  const { input, tools } = body;
  const items = Array.isArray(input) ? input.map(withType) : input;
  if (Array.isArray(items)) items.forEach(refuseUnknownItem);
  if (Array.isArray(tools)) tools.forEach(refuseUnknownTool);
  const request = explain({ ...body, ...(input === undefined ? {} : { input: items }) });
  if (request.background === true && request.store === false)
    throw invalidRequest('store must not be false with background: the answer is read later', 'store');
  if (request.previous_response_id && request.conversation)
    throw invalidRequest('previous_response_id and conversation exclude each other: give one of them', 'conversation');
  const { metadata } = request;
  if (Object.keys(metadata ?? {}).length > MAX_METADATA)
    throw invalidRequest(`metadata has more than ${MAX_METADATA} texts`, 'metadata');
  const hasInput = typeof request.input === 'string' ? request.input !== '' : (request.input?.length ?? 0) > 0;
  if (!hasInput && !request.previous_response_id && !request.conversation)
    throw invalidRequest('input is missing: give a text, or items of the conversation', 'input');
  return { request, ignored: [...unknownFields(body), ...(searchesWeb ? [] : webSearchesIn(request.tools ?? []))] };
}
