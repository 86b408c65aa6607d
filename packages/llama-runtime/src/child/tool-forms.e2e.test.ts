import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { writeScriptedModel } from '../../test/gguf/index.ts';
import { startTestChild } from '../../test/running-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'llama-tools-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parameters = {
  type: 'object',
  properties: { path: { type: 'string' }, body: { type: 'string' }, mode: { type: 'integer' } },
};
const tools = [{ type: 'function', function: { name: 'write_file', parameters } }];
const body = 'if (a < b) {\n\treturn "한글 \\ <p>";\n}\n// the quick brown fox jumps over the lazy dog\n';
const wanted = { path: 'src/한.ts', body, mode: 7 };
const json = JSON.stringify(wanted);
const call = (key: string) => `{"name": "write_file", "${key}": ${json}}`;

/** What tells the family, and what a model of it writes. */
const forms: Readonly<Record<string, readonly [marks: string, reply: string]>> = {
  hermes: ['<|im_start|> <tool_call>', `확인\n<tool_call>\n${call('arguments')}\n</tool_call>`],
  'qwen coder': [
    '<function= <parameter=',
    `확인\n<tool_call>\n<function=write_file>\n<parameter=path>\n${wanted.path}\n</parameter>\n<parameter=body>\n${body}\n</parameter>\n<parameter=mode>\n7\n</parameter>\n</function>\n</tool_call>`,
  ],
  glm: [
    '<arg_key>',
    `확인\n<tool_call>write_file\n<arg_key>path</arg_key>\n<arg_value>${wanted.path}</arg_value>\n<arg_key>body</arg_key>\n<arg_value>${body}</arg_value>\n<arg_key>mode</arg_key>\n<arg_value>7</arg_value>\n</tool_call>`,
  ],
  llama: ['<|start_header_id|>', `확인\n<|python_tag|>${call('parameters')}`],
  'llama, a code block': ['<|start_header_id|>', `확인\n\`\`\`json\n${call('parameters')}\n\`\`\``],
  'llama, a tag': ['<|start_header_id|>', `확인\n<function=write_file>${json}</function>`],
  'mistral, a list': ['[INST]', `확인\n[TOOL_CALLS][${call('arguments')}]`],
  'mistral, names first': ['[TOOL_CALLS][ARGS]', `확인\n[TOOL_CALLS]write_file[ARGS]${json}`],
  deepseek: [
    '<｜Assistant｜>',
    `확인\n<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>write_file\n\`\`\`json\n${json}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  phi: ['<|tool|>', `확인\n<|tool_call|>[${call('arguments')}]<|/tool_call|>`],
  hyperclova: ['tool/function_call', `확인\n -> tool/function_call\n[${call('arguments')}]`],
  seed: [
    '<seed:tool_call>',
    `확인\n<seed:tool_call>\n<function=write_file>\n<parameter=path>${wanted.path}</parameter>\n<parameter=body>\n${body}\n</parameter>\n<parameter=mode>7</parameter>\n</function>\n</seed:tool_call>`,
  ],
  lfm: [
    '<|tool_call_start|>',
    `확인<|tool_call_start|>[write_file(path=${JSON.stringify(wanted.path)}, body=${JSON.stringify(body)}, mode=7)]<|tool_call_end|>`,
  ],
  kimi: [
    '<|tool_calls_section_begin|>',
    `확인<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>${json}<|tool_call_end|><|tool_calls_section_end|>`,
  ],
  harmony: [
    '<|start|><|channel|>',
    `<|channel|>commentary<|message|>확인<|end|><|start|>assistant<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>${json}<|call|>`,
  ],
};

interface Delta {
  readonly content?: string;
  readonly tool_calls?: readonly {
    readonly id?: string;
    readonly function: { readonly name?: string; readonly arguments?: string };
  }[];
}

describe.each(Object.entries(forms))('a call in the form of %s', (name, [marks, reply]) => {
  test('is the same whole and streamed, and its arguments come as they are written', async () => {
    const path = writeScriptedModel(join(folder, `${name.replace(/\W+/g, '-')}.gguf`), {
      // A text of the script ends with what stands nowhere else in it.
      routes: { reply: reply.endsWith('>') ? `${reply}\r\t\r` : reply },
      chatTemplate: `{# ${marks} tools #}{% for m in messages %}{{ m.content }}{% endfor %}{{ '<|route_reply|>' }}`,
    });
    const child = await startTestChild(path, { contextLength: 1024 });
    const ask = { messages: [{ role: 'user', content: 'x' }], tools, temperature: 0 };
    try {
      const whole = await child.post('/v1/chat/completions', ask);
      const [choice] = whole.body.choices;
      expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: '확인' } });
      expect(choice.message.tool_calls).toHaveLength(1);
      const called = choice.message.tool_calls[0].function;
      expect(called.name).toBe('write_file');
      expect(JSON.parse(called.arguments)).toEqual(wanted);

      const { chunks, done } = await child.stream(ask);
      expect(done).toBe(true);
      const choices = chunks.flatMap((chunk) => chunk['choices'] as { delta: Delta; finish_reason: string | null }[]);
      const parts = choices.flatMap(({ delta }) => delta.tool_calls ?? []);
      expect(choices.map(({ delta }) => delta.content ?? '').join('')).toBe('확인');
      expect(parts.flatMap((part) => part.function.name ?? [])).toEqual(['write_file']);
      expect(parts[0]?.id).toBeTruthy();
      expect(parts.map((part) => part.function.arguments ?? '').join('')).toBe(called.arguments);
      expect(parts.length).toBeGreaterThan(20);
      expect(choices.at(-1)?.finish_reason).toBe('tool_calls');

      const plain = await child.post('/v1/chat/completions', { ...ask, tools: undefined });
      expect(plain.body.choices[0]).toMatchObject({ finish_reason: 'stop', message: { tool_calls: [] } });
    } finally {
      await child.stop();
    }
  });
});
