import { inputItemTypes } from '@ai-studio/contract/responses/items.ts';
import {
  FileSearchTool,
  FunctionTool,
  includable,
  McpTool,
  NamespaceTool,
  ResponseRequest,
  responseToolTypes,
  WebSearchTool,
} from '@ai-studio/contract/responses/request.ts';
import { OutputItem, Response, responseEventTypes } from '@ai-studio/contract/responses/response.ts';
import { describe, expect, test } from 'vitest';
import { StudioError } from '../../src/kernel/errors.ts';
import { readRequest } from '../../src/responses/read-request.ts';
import { covers } from '../requirements.ts';
import { decidedNames, type Decisions } from './decided.ts';
import { declarationsOf } from './declarations.ts';

// What the Responses interface has, by the types that its maker publishes with the pinned client, and what becomes of each part here. A
// version with a part that nobody has decided on fails these tests.

const reference = declarationsOf('openai/resources/responses/responses');
const shared = declarationsOf('openai/resources/shared');

const body = { model: 'm', input: 'x' };
const read = (fields: object) => readRequest({ ...body, ...fields }, { searchesWeb: true });
/** The place that a refusal names. */
function refusalOf(fields: object): string | null {
  try {
    read(fields);
  } catch (error) {
    if (error instanceof StudioError && error.code === 'invalid_request') return error.param;
    throw error;
  }
  return null;
}
const namesOf = ({ shape }: { readonly shape: object }) => Object.keys(shape);

/** Fields of a form: what was decided is all that there is, and what is served the form knows. */
function expectFields(decisions: Decisions, fields: readonly string[], form: { readonly shape: object }): void {
  expect(decidedNames(decisions)).toEqual(fields);
  expect(namesOf(form)).toEqual(expect.arrayContaining([...(decisions.served ?? [])]));
  const others = [...(decisions.ignored ?? []), ...(decisions.absent ?? [])];
  expect(namesOf(form).filter((name) => others.includes(name))).toEqual([]);
}

describe('a request', () => {
  const fields = {
    served: [
      'background',
      'conversation',
      'include',
      'input',
      'instructions',
      'max_output_tokens',
      'max_tool_calls',
      'metadata',
      'model',
      'parallel_tool_calls',
      'previous_response_id',
      'prompt_cache_key',
      // A hint, which changes no answer.
      'prompt_cache_retention',
      'reasoning',
      'safety_identifier',
      // There is one tier, which the answer names.
      'service_tier',
      'store',
      'stream',
      'stream_options',
      'temperature',
      'text',
      'tool_choice',
      'tools',
      'top_logprobs',
      'top_p',
      'truncation',
      'user',
    ],
    ignored: ['access_programs', 'image', 'prompt_cache_options'],
    refused: ['context_management', 'moderation', 'prompt'],
  };

  test('has the fields of the reference', () => {
    covers('responses.reference.request');
    expectFields(fields, reference.shape('ResponseCreateParamsBase').fields, ResponseRequest);
    for (const field of fields.ignored) expect(read({ [field]: {} }).ignored, field).toEqual([field]);
    for (const field of fields.refused) expect(refusalOf({ [field]: { type: 'x' } }), field).toBe(field);
  });

  test('has their parts', () => {
    covers('responses.reference.request');
    const reasoning = { served: ['effort', 'generate_summary', 'summary'], ignored: ['context', 'mode'] };
    expect(decidedNames(reasoning)).toEqual(shared.shape('Reasoning').fields);
    expect(read({ reasoning: { context: 'auto', mode: 'pro' } }).ignored).toEqual([
      'reasoning.context',
      'reasoning.mode',
    ]);
    for (const effort of shared.members('ReasoningEffort').map((text) => text.replaceAll("'", '')))
      if (effort !== 'null') expect(refusalOf({ reasoning: { effort } }), effort).toBeNull();
    expect(reference.shape('ResponseTextConfig').fields).toEqual(['format', 'verbosity']);
    expect(reference.shape('ResponseFormatTextJSONSchemaConfig').fields).toEqual([
      'description',
      'name',
      'schema',
      'strict',
      'type',
    ]);
    expect(reference.shape('ResponseCreateParams.StreamOptions').fields).toEqual(['include_obfuscation']);
    expect(includable.toSorted()).toEqual(reference.tags('ResponseIncludable'));
    expect(reference.tags('ToolChoiceOptions')).toEqual(['auto', 'none', 'required']);
    expect(reference.shape('ToolChoiceAllowed').fields).toEqual(['mode', 'tools', 'type']);
  });

  test('has the items of the reference', () => {
    covers('responses.reference.items');
    const refused = [
      'additional_tools',
      'apply_patch_call',
      'apply_patch_call_output',
      'code_interpreter_call',
      'compaction',
      'compaction_trigger',
      'computer_call',
      'computer_call_output',
      'configuration_update',
      'custom_tool_call',
      'custom_tool_call_output',
      'image_generation_call',
      'local_shell_call',
      'local_shell_call_output',
      'program',
      'program_output',
      'shell_call',
      'shell_call_output',
      'tool_search_call',
      'tool_search_output',
    ];
    expect(decidedNames({ served: inputItemTypes, refused })).toEqual(reference.tags('ResponseInputItem'));
    for (const type of refused) expect(refusalOf({ input: [{ type }] }), type).toBe('input[0].type');
    expect(reference.tags('ResponseInputContent')).toEqual(['input_file', 'input_image', 'input_text']);
  });

  test('has the tools of the reference', () => {
    covers('responses.reference.tools');
    const refused = [
      'apply_patch',
      'code_interpreter',
      'computer',
      'computer_use_preview',
      'custom',
      'image_generation',
      'local_shell',
      'programmatic_tool_calling',
      'shell',
      'tool_search',
    ];
    expect(decidedNames({ served: [...responseToolTypes], refused })).toEqual(reference.tags('Tool'));
    for (const type of refused) expect(refusalOf({ tools: [{ type }] }), type).toBe('tools[0].type');
  });

  test('has the fields of those tools', () => {
    covers('responses.reference.tools');
    const ofFunction = {
      served: ['description', 'name', 'parameters', 'strict', 'type'],
      ignored: ['allowed_callers', 'async', 'defer_loading', 'output_schema'],
    };
    expectFields(ofFunction, reference.shape('FunctionTool').fields, FunctionTool);
    const given = {
      type: 'function',
      name: 'f',
      ...Object.fromEntries(ofFunction.ignored.map((name) => [name, true])),
    };
    expect(read({ tools: [given] }).ignored).toEqual(ofFunction.ignored.map((name) => `tools.${name}`));
    expectFields(
      {
        // Two of them are refused, where the tools are opened.
        served: [
          'allowed_tools',
          'authorization',
          'connector_id',
          'headers',
          'require_approval',
          'server_description',
          'server_label',
          'server_url',
          'type',
        ],
        ignored: ['allowed_callers', 'defer_loading', 'tunnel_id'],
      },
      reference.shape('Tool.Mcp').fields,
      McpTool,
    );
    const search = ['filters', 'max_num_results', 'ranking_options', 'type', 'vector_store_ids'];
    expectFields({ served: search }, reference.shape('FileSearchTool').fields, FileSearchTool);
    expectFields(
      { served: ['filters', 'search_context_size', 'type', 'user_location'], ignored: ['external_web_access'] },
      reference.shape('WebSearchTool').fields,
      WebSearchTool,
    );
    const namespace = ['description', 'name', 'tools', 'type'];
    expectFields({ served: namespace }, reference.shape('NamespaceTool').fields, NamespaceTool);
  });
});

describe('an answer', () => {
  test('has the fields of the reference', () => {
    covers('responses.reference.answer');
    const absent = [
      'access_programs',
      'image',
      'moderation',
      // Made by the client.
      'output_text',
      'prompt',
      'prompt_cache_diagnostics',
      'prompt_cache_options',
      'prompt_cache_retention',
      'tool_usage',
    ];
    // Told here beyond it.
    const served = namesOf(Response).filter((name) => name !== 'store');
    expectFields({ served, absent }, reference.shape('Response').fields, Response);
    expect(Response.shape.status.options.toSorted()).toEqual(reference.tags('ResponseStatus'));
    const reasons = reference.shape('Response.IncompleteDetails').literals('reason').toSorted();
    expect(
      decidedNames({ served: ['content_filter', 'max_output_tokens'], absent: ['max_messages', 'steered'] }),
    ).toEqual(reasons);
    expect(reference.shape('ResponseUsage').fields).toEqual([
      'input_tokens',
      'input_tokens_details',
      'output_tokens',
      'output_tokens_details',
      'total_tokens',
    ]);
  });

  test('has items of the reference', () => {
    covers('responses.reference.items');
    const served = OutputItem.options.map(({ shape }) => shape.type.value);
    const all = reference.tags('ResponseOutputItem');
    expect(all).toEqual(expect.arrayContaining(served));
    expect(all.filter((type) => !served.includes(type as (typeof served)[number]))).toEqual([
      'additional_tools',
      'apply_patch_call',
      'apply_patch_call_output',
      'code_interpreter_call',
      'compaction',
      'computer_call',
      'computer_call_output',
      'custom_tool_call',
      'custom_tool_call_output',
      'function_call_output',
      'image_generation_call',
      'local_shell_call',
      'local_shell_call_output',
      'mcp_approval_response',
      'program',
      'program_output',
      'shell_call',
      'shell_call_output',
      'tool_search_call',
      'tool_search_output',
    ]);
  });

  test('is told by events of the reference', () => {
    covers('responses.reference.events');
    const absent = [
      'response.audio.delta',
      'response.audio.done',
      'response.audio.transcript.delta',
      'response.audio.transcript.done',
      'response.code_interpreter_call.completed',
      'response.code_interpreter_call.in_progress',
      'response.code_interpreter_call.interpreting',
      'response.code_interpreter_call_code.delta',
      'response.code_interpreter_call_code.done',
      'response.compaction.compacting',
      'response.custom_tool_call_input.delta',
      'response.custom_tool_call_input.done',
      'response.image_generation_call.completed',
      'response.image_generation_call.generating',
      'response.image_generation_call.in_progress',
      'response.image_generation_call.partial_image',
      // Servers whose tools cannot be listed are refused before a response begins.
      'response.mcp_list_tools.failed',
      // Models here refuse in words of their answer.
      'response.refusal.delta',
      'response.refusal.done',
      'response.shell_call_command.added',
      'response.shell_call_command.delta',
      'response.shell_call_command.done',
      'response.shell_call_output_content.delta',
      'response.shell_call_output_content.done',
    ];
    expect(decidedNames({ served: responseEventTypes, absent })).toEqual(reference.tags('ResponseStreamEvent'));
  });
});
