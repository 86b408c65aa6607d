import { contentBlockTypes, toolResultPartTypes } from '@ai-studio/contract/messages/content.ts';
import { AnswerBlock, MessagesReply, MessagesUsage, stopReasons } from '@ai-studio/contract/messages/reply.ts';
import { CountTokensRequest, MessagesRequest, MessagesTool } from '@ai-studio/contract/messages/request.ts';
import { describe, expect, test } from 'vitest';
import { StudioError } from '../../src/kernel/errors.ts';
import { readCountRequest, readRequest } from '../../src/messages/read-request.ts';
import { covers } from '../requirements.ts';
import { decidedNames } from './decided.ts';
import { declarationsOf } from './declarations.ts';

// What the Messages interface has, by the types that its maker publishes with the pinned client, and what becomes of each part here. A
// version with a part that nobody has decided on fails these tests.

const reference = declarationsOf('@anthropic-ai/sdk/resources/messages/messages');

const body = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] };
/** What a refusal says. */
function refusalOf(fields: object): string | null {
  try {
    readRequest({ ...body, ...fields });
  } catch (error) {
    if (error instanceof StudioError && error.code === 'invalid_request') return error.param;
    throw error;
  }
  return null;
}
const namesOf = ({ shape }: { readonly shape: object }) => Object.keys(shape);
const user = (...content: object[]) => ({ messages: [{ role: 'user', content }] });

describe('a request', () => {
  const served = [
    // A hint, which changes no answer.
    'cache_control',
    'max_tokens',
    'messages',
    'metadata',
    'model',
    'output_config',
    // There is one tier, which the answer names.
    'service_tier',
    'stop_sequences',
    'stream',
    'system',
    'temperature',
    'thinking',
    'tool_choice',
    'tools',
    'top_k',
    'top_p',
  ];
  const ignored = ['diagnostics', 'inference_geo', 'speed', 'user_profile_id', 'workspace_id'];

  test('has the fields of the reference', () => {
    covers('messages.reference.request');
    // Taken for models of before: the reference has no samplers any more.
    const older = ['temperature', 'top_k', 'top_p'].filter(
      (name) => !reference.shape('MessageCreateParamsBase').fields.includes(name),
    );
    const known = served.filter((name) => !older.includes(name));
    expect(decidedNames({ served: known, ignored, refused: ['container'] })).toEqual(
      reference.shape('MessageCreateParamsBase').fields,
    );
    expect(namesOf(MessagesRequest)).toEqual(expect.arrayContaining(served));
    for (const field of ignored) expect(readRequest({ ...body, [field]: 'x' }).ignored, field).toEqual([field]);
    expect(refusalOf({ container: 'x' })).toBe('container');
    const counted = reference.shape('MessageCountTokensParams').fields;
    expect(counted.filter((name) => !ignored.includes(name))).toEqual(
      namesOf(CountTokensRequest)
        .filter((name) => name !== 'output_format')
        .toSorted(),
    );
    const { max_tokens: _, ...prompt } = body;
    expect(readCountRequest({ ...prompt, speed: 'fast' }).ignored).toEqual(['speed']);
  });

  test('has their parts', () => {
    covers('messages.reference.request');
    expect(reference.shape('OutputConfig').fields).toEqual(['effort', 'format']);
    for (const effort of reference.shape('OutputConfig').literals('effort'))
      expect(refusalOf({ output_config: { effort } }), effort).toBeNull();
    expect(readRequest({ ...body, output_config: { other: 1 } }).ignored).toEqual(['output_config.other']);
    const thinking = { served: ['adaptive', 'disabled', 'enabled'], refused: ['between_tools'] };
    expect(decidedNames(thinking)).toEqual(reference.tags('ThinkingConfigParam'));
    expect(refusalOf({ thinking: { type: 'between_tools' } })).toMatch(/^thinking/);
    for (const display of reference.shape('ThinkingConfigAdaptive').literals('display'))
      expect(refusalOf({ thinking: { type: 'adaptive', display } }), display).toBeNull();
    expect(reference.tags('ToolChoice')).toEqual(['any', 'auto', 'none', 'tool']);
    expect(reference.members('MessageParam')).toEqual([
      'UserMessageParam',
      'AssistantMessageParam',
      'SystemMessageParam',
    ]);
  });

  test('has the blocks of the reference', () => {
    covers('messages.reference.blocks');
    const refused = [
      'bash_code_execution_tool_result',
      'code_execution_tool_result',
      'container_upload',
      'server_tool_use',
      'text_editor_code_execution_tool_result',
      'tool_search_tool_result',
      'web_fetch_tool_result',
      'web_search_tool_result',
    ];
    expect(decidedNames({ served: contentBlockTypes, refused })).toEqual(reference.tags('ContentBlockParam'));
    for (const type of refused) expect(refusalOf(user({ type })), type).toBe('messages[0].content[0].type');
    expect(toolResultPartTypes.toSorted()).toEqual(['document', 'image', 'search_result', 'text']);
  });

  test('has the tools of the reference', () => {
    covers('messages.reference.tools');
    const others = reference.tags('ToolUnion').filter((type) => type !== 'custom');
    for (const type of others) expect(refusalOf({ tools: [{ type, name: 'x' }] }), type).toBe('tools[0].type');
    const fields = {
      served: ['cache_control', 'description', 'input_schema', 'name', 'strict', 'type'],
      ignored: ['allowed_callers', 'defer_loading', 'eager_input_streaming', 'input_examples'],
    };
    expect(decidedNames(fields)).toEqual(reference.shape('Tool').fields);
    expect(namesOf(MessagesTool).toSorted()).toEqual(fields.served);
    const tool = { name: 'f', input_schema: {}, ...Object.fromEntries(fields.ignored.map((name) => [name, true])) };
    expect(readRequest({ ...body, tools: [tool] }).ignored).toEqual(fields.ignored.map((name) => `tools.${name}`));
  });
});

describe('an answer', () => {
  test('has the fields of the reference', () => {
    covers('messages.reference.answer');
    const absent = ['container', 'diagnostics', 'stop_details'];
    expect(decidedNames({ served: namesOf(MessagesReply), absent })).toEqual(reference.shape('Message').fields);
    expect(
      decidedNames({
        served: namesOf(MessagesUsage),
        absent: ['cache_creation', 'inference_geo', 'output_tokens_details', 'server_tool_use', 'speed'],
      }),
    ).toEqual(reference.shape('Usage').fields);
    // Nothing here pauses a turn: the service runs no tools in it.
    expect(decidedNames({ served: stopReasons, absent: ['pause_turn'] })).toEqual(reference.tags('StopReason'));
  });

  test('has blocks and events of the reference', () => {
    covers('messages.reference.answer');
    const blocks = AnswerBlock.options.map(({ shape }) => shape.type.value);
    expect(reference.tags('ContentBlock')).toEqual(expect.arrayContaining(blocks));
    expect(reference.tags('ContentBlock').filter((type) => !blocks.includes(type as (typeof blocks)[number]))).toEqual([
      'bash_code_execution_tool_result',
      'code_execution_tool_result',
      'container_upload',
      'redacted_thinking',
      'server_tool_use',
      'text_editor_code_execution_tool_result',
      'tool_search_tool_result',
      'web_fetch_tool_result',
      'web_search_tool_result',
    ]);
    expect(reference.tags('RawMessageStreamEvent')).toEqual([
      'content_block_delta',
      'content_block_start',
      'content_block_stop',
      'message_delta',
      'message_start',
      'message_stop',
    ]);
    // Answers cite by their own text.
    expect(
      decidedNames({
        served: ['input_json_delta', 'signature_delta', 'text_delta', 'thinking_delta'],
        absent: ['citations_delta'],
      }),
    ).toEqual(reference.tags('RawContentBlockDelta'));
  });
});
