import type { ChatTemplate } from './index.ts';

interface Prompt {
  readonly text: string;
  /** Whether it ends inside a thinking block. */
  readonly open?: boolean;
}

export interface FamilyCase {
  readonly name: string;
  readonly family: string;
  /** A template of ours that writes the family's format, with what its public ones branch on. */
  readonly source: string;
  readonly tools: boolean;
  readonly thinking: ChatTemplate['thinking'];
  /** Expected prompts by what is asked: tools, history (with a call and its answer), thinking on or off. */
  readonly prompts: Readonly<Record<string, Prompt>>;
}

const TOOL =
  '{"type": "function", "function": {"name": "get_weather", "description": "날씨를 알려 준다", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}}';

const chatml = {
  system: '<|im_start|>system\n짧게 답하세요.<|im_end|>\n',
  user: '<|im_start|>user\n서울 날씨?<|im_end|>\n',
};

/** Formats as published with the models: Qwen 3, Llama 3.1, Mistral 7B v0.3, Gemma 3, Gemma 4, DeepSeek R1, Phi 4 mini, GLM 4.5, EXAONE 4, HyperCLOVA X SEED, gpt-oss. */
export const families: readonly FamilyCase[] = [
  {
    name: 'Qwen 3',
    family: 'qwen',
    tools: true,
    thinking: 'optional',
    source: `{%- if tools %}{{- '<|im_start|>system\\n' + messages[0].content + '\\n\\n# Tools\\n<tools>' }}
{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}{{- '\\n</tools>\\n<tool_call></tool_call><|im_end|>\\n' }}
{%- else %}{{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{%- endif %}
{%- for m in messages[1:] %}
{%- if m.role == 'assistant' %}{{- '<|im_start|>assistant\\n' + m.content }}
{%- for call in m.tool_calls or [] %}{{- '\\n<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' + (call.function.arguments | tojson) + '}\\n</tool_call>' }}{%- endfor %}{{- '<|im_end|>\\n' }}
{%- elif m.role == 'tool' %}{{- '<|im_start|>user\\n<tool_response>\\n' + m.content + '\\n</tool_response><|im_end|>\\n' }}
{%- else %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- endif %}`,
    prompts: {
      plain: { text: `${chatml.system}${chatml.user}<|im_start|>assistant\n` },
      'thinking on': { text: `${chatml.system}${chatml.user}<|im_start|>assistant\n` },
      'thinking off': { text: `${chatml.system}${chatml.user}<|im_start|>assistant\n<think>\n\n</think>\n\n` },
      'with tools': {
        text: `<|im_start|>system\n짧게 답하세요.\n\n# Tools\n<tools>\n${TOOL}\n</tools>\n<tool_call></tool_call><|im_end|>\n${chatml.user}<|im_start|>assistant\n`,
      },
      'history of a call': {
        text: `<|im_start|>system\n짧게 답하세요.\n\n# Tools\n<tools>\n${TOOL}\n</tools>\n<tool_call></tool_call><|im_end|>\n${chatml.user}<|im_start|>assistant\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "서울"}}\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n맑음\n</tool_response><|im_end|>\n<|im_start|>assistant\n`,
      },
    },
  },
  {
    name: 'Llama 3.1',
    family: 'llama',
    tools: true,
    thinking: 'none',
    source: `{{- bos_token }}{%- for m in messages %}
{%- if m.role == 'tool' %}{{- '<|start_header_id|>ipython<|end_header_id|>\\n\\n' + m.content + '<|eot_id|>' }}
{%- elif m.tool_calls %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n{"name": "' + m.tool_calls[0].function.name + '", "parameters": ' + (m.tool_calls[0].function.arguments | tojson) + '}<|eot_id|>' }}
{%- else %}{{- '<|start_header_id|>' + m.role + '<|end_header_id|>\\n\\n' }}{%- if loop.first and tools %}{%- for tool in tools %}{{- (tool | tojson) + '\\n' }}{%- endfor %}{%- endif %}{{- m.content + '<|eot_id|>' }}{%- endif %}
{%- endfor %}{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}`,
    prompts: {
      plain: {
        text: '<bos><|start_header_id|>system<|end_header_id|>\n\n짧게 답하세요.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n서울 날씨?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n',
      },
      'history of a call': {
        text: `<bos><|start_header_id|>system<|end_header_id|>\n\n${TOOL}\n짧게 답하세요.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n서울 날씨?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n{"name": "get_weather", "parameters": {"city": "서울"}}<|eot_id|><|start_header_id|>ipython<|end_header_id|>\n\n맑음<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n`,
      },
    },
  },
  {
    name: 'Mistral 7B v0.3',
    family: 'mistral',
    tools: true,
    thinking: 'none',
    source: `{%- if messages[0].role == 'system' %}{%- set system = messages[0].content %}{%- set rest = messages[1:] %}{%- else %}{%- set system = '' %}{%- set rest = messages %}{%- endif %}{{- bos_token }}
{%- for m in rest %}
{%- if m.role == 'user' %}{%- if loop.first and tools %}{{- '[AVAILABLE_TOOLS] ' + (tools | tojson) + '[/AVAILABLE_TOOLS]' }}{%- endif %}{{- '[INST] ' + (system + '\\n\\n' if system else '') + m.content + '[/INST]' }}
{%- elif m.tool_calls %}{{- '[TOOL_CALLS] [' }}{%- for c in m.tool_calls %}{{- '{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + ', "id": "' + c.id + '"}' }}{%- endfor %}{{- ']' + eos_token }}
{%- elif m.role == 'tool' %}{{- '[TOOL_RESULTS] {"content": "' + m.content + '", "call_id": "' + m.tool_call_id + '"}[/TOOL_RESULTS]' }}
{%- else %}{{- ' ' + m.content + eos_token }}{%- endif %}
{%- endfor %}`,
    prompts: {
      plain: { text: '<bos>[INST] 짧게 답하세요.\n\n서울 날씨?[/INST]' },
      'with tools': {
        text: `<bos>[AVAILABLE_TOOLS] [${TOOL}][/AVAILABLE_TOOLS][INST] 짧게 답하세요.\n\n서울 날씨?[/INST]`,
      },
      'history of a call': {
        text: `<bos>[AVAILABLE_TOOLS] [${TOOL}][/AVAILABLE_TOOLS][INST] 짧게 답하세요.\n\n서울 날씨?[/INST][TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "서울"}, "id": "c1"}]<eos>[TOOL_RESULTS] {"content": "맑음", "call_id": "c1"}[/TOOL_RESULTS]`,
      },
    },
  },
  {
    name: 'Gemma 3',
    family: 'gemma',
    tools: false,
    thinking: 'none',
    source: `{{- bos_token }}{%- if messages[0].role == 'system' %}{%- set first = messages[0].content + '\\n\\n' %}{%- set rest = messages[1:] %}{%- else %}{%- set first = '' %}{%- set rest = messages %}{%- endif %}
{%- for m in rest %}{%- if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{%- endif %}
{{- '<start_of_turn>' + ('model' if m.role == 'assistant' else m.role) + '\\n' + (first if loop.first else '') + (m.content | trim) + '<end_of_turn>\\n' }}{%- endfor %}
{%- if add_generation_prompt %}{{- '<start_of_turn>model\\n' }}{%- endif %}`,
    prompts: {
      plain: {
        text: '<bos><start_of_turn>user\n짧게 답하세요.\n\n서울 날씨?<end_of_turn>\n<start_of_turn>model\n',
      },
    },
  },
  {
    name: 'Gemma 4',
    family: 'gemma4',
    tools: true,
    thinking: 'optional',
    source: `{{- bos_token }}{%- set rest = messages %}
{%- if enable_thinking or tools or messages[0].role == 'system' %}{{- '<|turn>system\\n' }}{%- if enable_thinking %}{{- '<|think|>\\n' }}{%- endif %}
{%- if messages[0].role == 'system' %}{{- messages[0].content | trim }}{%- set rest = messages[1:] %}{%- endif %}
{%- for t in tools or [] %}{{- '<|tool>declaration:' + t.function.name + '{description:<|"|>' + t.function.description + '<|"|>}<tool|>' }}{%- endfor %}{{- '<turn|>\\n' }}{%- endif %}
{%- set ns = namespace(last='') %}{%- for m in rest %}
{%- if not (ns.last == 'responses' and m.tool_calls) %}{{- '<|turn>' + ('model' if m.role == 'assistant' else m.role) + '\\n' }}{%- endif %}{%- set ns.last = '' %}
{%- for c in m.tool_calls or [] %}{{- '<|tool_call>call:' + c.function.name + '{' }}{%- for key, value in c.function.arguments | dictsort %}{{- ('' if loop.first else ',') + key + ':' }}{%- if value is string %}{{- '<|"|>' + value + '<|"|>' }}{%- else %}{{- value | tojson }}{%- endif %}{%- endfor %}{{- '}<tool_call|>' }}{%- endfor %}
{%- for r in m.tool_responses or [] %}{{- '<|tool_response>response:' + r.name + '{value:<|"|>' + r.response + '<|"|>}<tool_response|>' }}{%- set ns.last = 'responses' %}{%- endfor %}
{{- m.content | trim }}{%- if not (m.tool_responses and not m.content) %}{{- '<turn|>\\n' }}{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{%- if ns.last != 'responses' %}{{- '<|turn>model\\n' }}{%- endif %}{%- if not enable_thinking %}{{- '<|channel>thought\\n<channel|>' }}{%- endif %}{%- endif %}`,
    prompts: {
      plain: {
        text: '<bos><|turn>system\n짧게 답하세요.<turn|>\n<|turn>user\n서울 날씨?<turn|>\n<|turn>model\n<|channel>thought\n<channel|>',
      },
      'thinking on': {
        text: '<bos><|turn>system\n<|think|>\n짧게 답하세요.<turn|>\n<|turn>user\n서울 날씨?<turn|>\n<|turn>model\n',
      },
      'thinking off': {
        text: '<bos><|turn>system\n짧게 답하세요.<turn|>\n<|turn>user\n서울 날씨?<turn|>\n<|turn>model\n<|channel>thought\n<channel|>',
      },
      'with tools': {
        text: '<bos><|turn>system\n짧게 답하세요.<|tool>declaration:get_weather{description:<|"|>날씨를 알려 준다<|"|>}<tool|><turn|>\n<|turn>user\n서울 날씨?<turn|>\n<|turn>model\n<|channel>thought\n<channel|>',
      },
      'history of a call': {
        text: '<bos><|turn>system\n짧게 답하세요.<|tool>declaration:get_weather{description:<|"|>날씨를 알려 준다<|"|>}<tool|><turn|>\n<|turn>user\n서울 날씨?<turn|>\n<|turn>model\n<|tool_call>call:get_weather{city:<|"|>서울<|"|>}<tool_call|><|tool_response>response:get_weather{value:<|"|>맑음<|"|>}<tool_response|><|channel>thought\n<channel|>',
      },
    },
  },
  {
    name: 'DeepSeek R1',
    family: 'deepseek',
    tools: true,
    thinking: 'always',
    source: `{{- bos_token }}{%- for m in messages %}
{%- if m.role == 'system' %}{{- m.content }}{%- if tools %}{{- '\\n' + (tools | tojson) }}{%- endif %}
{%- elif m.role == 'user' %}{{- '<｜User｜>' + m.content }}
{%- elif m.role == 'tool' %}{{- '<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>' + m.content + '<｜tool▁output▁end｜><｜tool▁outputs▁end｜>' }}
{%- elif m.tool_calls %}{{- '<｜Assistant｜><｜tool▁calls▁begin｜>' }}{%- for c in m.tool_calls %}{{- '<｜tool▁call▁begin｜>' + c.type + '<｜tool▁sep｜>' + c.function.name + '\\n\`\`\`json\\n' + c.function.arguments + '\\n\`\`\`<｜tool▁call▁end｜>' }}{%- endfor %}{{- '<｜tool▁calls▁end｜><｜end▁of▁sentence｜>' }}
{%- else %}{{- '<｜Assistant｜>' + m.content.split('</think>')[-1] + '<｜end▁of▁sentence｜>' }}{%- endif %}
{%- endfor %}{%- if add_generation_prompt %}{{- '<｜Assistant｜><think>\\n' }}{%- endif %}`,
    prompts: {
      plain: { text: '<bos>짧게 답하세요.<｜User｜>서울 날씨?<｜Assistant｜><think>\n', open: true },
      'history of a call': {
        text: `<bos>짧게 답하세요.\n[${TOOL}]<｜User｜>서울 날씨?<｜Assistant｜><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n\`\`\`json\n{"city":"서울"}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜><｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>맑음<｜tool▁output▁end｜><｜tool▁outputs▁end｜><｜Assistant｜><think>\n`,
        open: true,
      },
    },
  },
  {
    name: 'Phi 4 mini',
    family: 'phi',
    tools: true,
    thinking: 'none',
    source: `{%- for m in messages %}{{- '<|' + m.role + '|>' + m.content }}{%- if m.role == 'system' and tools %}{{- '<|tool|>' + (tools | tojson) + '<|/tool|>' }}{%- endif %}{{- '<|end|>' }}{%- endfor %}{%- if add_generation_prompt %}{{- '<|assistant|>' }}{%- endif %}`,
    prompts: {
      plain: { text: '<|system|>짧게 답하세요.<|end|><|user|>서울 날씨?<|end|><|assistant|>' },
      'with tools': {
        text: `<|system|>짧게 답하세요.<|tool|>[${TOOL}]<|/tool|><|end|><|user|>서울 날씨?<|end|><|assistant|>`,
      },
    },
  },
  {
    name: 'GLM 4.5',
    family: 'glm',
    tools: true,
    thinking: 'optional',
    source: `[gMASK]<sop>{%- if tools %}{{- '<|system|>\\n# Tools' }}{%- for tool in tools %}{{- '\\n' + (tool | tojson) }}{%- endfor %}{{- '\\n<tool_call>{function-name}\\n<arg_key>{key}</arg_key>\\n<arg_value>{value}</arg_value>\\n</tool_call>' }}{%- endif %}
{%- for m in messages %}
{%- if m.role == 'tool' %}{{- '<|observation|>\\n<tool_response>\\n' + m.content + '\\n</tool_response>' }}
{%- elif m.role == 'assistant' %}{{- '<|assistant|>\\n<think></think>' }}{%- for c in m.tool_calls or [] %}{{- '\\n<tool_call>' + c.function.name }}{%- set args = c.function.arguments %}{%- for k, v in args.items() %}{{- '\\n<arg_key>' + k + '</arg_key>\\n<arg_value>' + (v if v is string else v | tojson) + '</arg_value>' }}{%- endfor %}{{- '\\n</tool_call>' }}{%- endfor %}
{%- else %}{{- '<|' + m.role + '|>\\n' + m.content + ('/nothink' if m.role == 'user' and enable_thinking is defined and not enable_thinking else '') }}{%- endif %}
{%- endfor %}{%- if add_generation_prompt %}{{- '<|assistant|>' + ('\\n<think></think>' if enable_thinking is defined and not enable_thinking else '') }}{%- endif %}{# function.arguments.items #}`,
    prompts: {
      plain: { text: '[gMASK]<sop><|system|>\n짧게 답하세요.<|user|>\n서울 날씨?<|assistant|>' },
      'thinking off': {
        text: '[gMASK]<sop><|system|>\n짧게 답하세요.<|user|>\n서울 날씨?/nothink<|assistant|>\n<think></think>',
      },
      'history of a call': {
        text: `[gMASK]<sop><|system|>\n# Tools\n${TOOL}\n<tool_call>{function-name}\n<arg_key>{key}</arg_key>\n<arg_value>{value}</arg_value>\n</tool_call><|system|>\n짧게 답하세요.<|user|>\n서울 날씨?<|assistant|>\n<think></think>\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>서울</arg_value>\n</tool_call><|observation|>\n<tool_response>\n맑음\n</tool_response><|assistant|>`,
      },
    },
  },
  {
    name: 'EXAONE 4',
    family: 'exaone',
    tools: true,
    thinking: 'optional',
    source: `{%- for m in messages %}{{- '[|' + m.role + '|]\\n' + m.content }}{%- if m.role == 'system' and tools %}{{- '\\n\\n# Available Tools' }}{%- for tool in tools %}{{- '\\n<tool>' + (tool | tojson) + '</tool>' }}{%- endfor %}{%- endif %}{%- for c in m.tool_calls or [] %}{{- '<tool_call>{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + '}</tool_call>' }}{%- endfor %}{{- '[|endofturn|]\\n' }}{%- endfor %}
{%- if add_generation_prompt %}{{- '[|assistant|]\\n' + ('<think>\\n' if enable_thinking is defined and enable_thinking else '<think>\\n\\n</think>\\n\\n') }}{%- endif %}`,
    prompts: {
      plain: {
        text: '[|system|]\n짧게 답하세요.[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n',
      },
      'thinking on': {
        text: '[|system|]\n짧게 답하세요.[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<think>\n',
        open: true,
      },
      'history of a call': {
        text: `[|system|]\n짧게 답하세요.\n\n# Available Tools\n<tool>${TOOL}</tool>[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<tool_call>{"name": "get_weather", "arguments": {"city": "서울"}}</tool_call>[|endofturn|]\n[|tool|]\n맑음[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n`,
      },
    },
  },
  {
    name: 'HyperCLOVA X SEED',
    family: 'hyperclova',
    tools: true,
    thinking: 'none',
    source: `{{- '<|im_start|>tool_list\\n' + (tools | tojson if tools else '') + '<|im_end|>\\n' }}{%- for m in messages %}
{%- if m.tool_calls %}{{- '<|im_start|>assistant -> tool/function_call\\n[' }}{%- for c in m.tool_calls %}{{- '{"name": "' + c.function.name + '", "arguments": ' + (c.function.arguments | tojson) + '}' }}{%- endfor %}{{- ']<|im_end|>\\n' }}
{%- elif m.role == 'tool' %}{{- '<|im_start|>tool/function_call\\n' + m.content + '<|im_end|>\\n' }}
{%- else %}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' }}{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant' }}{%- endif %}`,
    prompts: {
      plain: { text: `<|im_start|>tool_list\n<|im_end|>\n${chatml.system}${chatml.user}<|im_start|>assistant` },
      'history of a call': {
        text: `<|im_start|>tool_list\n[${TOOL}]<|im_end|>\n${chatml.system}${chatml.user}<|im_start|>assistant -> tool/function_call\n[{"name": "get_weather", "arguments": {"city": "서울"}}]<|im_end|>\n<|im_start|>tool/function_call\n맑음<|im_end|>\n<|im_start|>assistant`,
      },
    },
  },
  {
    name: 'gpt-oss',
    family: 'gpt-oss',
    tools: true,
    thinking: 'always',
    source: `{{- '<|start|>system<|message|>Reasoning: ' + (reasoning_effort or 'medium') + '\\n# Valid channels: analysis, commentary, final.<|end|>' }}{%- for m in messages %}
{%- if m.role == 'system' %}{{- '<|start|>developer<|message|># Instructions\\n' + m.content }}{%- if tools %}{{- '\\n# Tools\\nnamespace functions {' }}{%- for t in tools %}{{- '\\ntype ' + t.function.name + ' = (_: any) => any;' }}{%- endfor %}{{- '\\n}' }}{%- endif %}{{- '<|end|>' }}
{%- elif m.tool_calls %}{{- '<|start|>assistant<|channel|>commentary to=functions.' + m.tool_calls[0].function.name + ' <|constrain|>json<|message|>' + (m.tool_calls[0].function.arguments | tojson) + '<|call|>' }}
{%- elif m.role == 'tool' %}{{- '<|start|>functions.' + m.name + ' to=assistant<|channel|>commentary<|message|>' + (m.content | tojson) + '<|end|>' }}
{%- else %}{{- '<|start|>' + m.role + '<|message|>' + m.content + '<|end|>' }}{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{%- endif %}`,
    prompts: {
      plain: {
        text: '<|start|>system<|message|>Reasoning: medium\n# Valid channels: analysis, commentary, final.<|end|><|start|>developer<|message|># Instructions\n짧게 답하세요.<|end|><|start|>user<|message|>서울 날씨?<|end|><|start|>assistant',
      },
      'history of a call': {
        text: '<|start|>system<|message|>Reasoning: medium\n# Valid channels: analysis, commentary, final.<|end|><|start|>developer<|message|># Instructions\n짧게 답하세요.\n# Tools\nnamespace functions {\ntype get_weather = (_: any) => any;\n}<|end|><|start|>user<|message|>서울 날씨?<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "서울"}<|call|><|start|>functions.get_weather to=assistant<|channel|>commentary<|message|>"맑음"<|end|><|start|>assistant',
      },
    },
  },
];
