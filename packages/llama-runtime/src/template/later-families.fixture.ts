import type { FamilyCase } from './families.fixture.ts';

const FUNCTION =
  '{"name": "get_weather", "description": "날씨를 알려 준다", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}';
const TOOL = `{"type": "function", "function": ${FUNCTION}}`;
const COMPACT_TOOL = JSON.stringify([JSON.parse(TOOL)]).slice(1, -1);

/**
 * Templates of ours with the branches and the words of Jinja that the published ones of these families have. The prompts are what Jinja
 * of Python (3.1, as Hugging Face Transformers sets it up) makes of them.
 */
export const laterFamilies: readonly FamilyCase[] = [
  {
    name: 'Seed-OSS',
    family: 'seed',
    tools: true,
    thinking: 'optional',
    source: `{%- set think_end = '</seed:think>' %}{%- set budgets = {0: 0, 512: 128, 1024: 256} %}
{%- macro kind(type) %}{%- if type is string and type in ['string', 'str'] %}str{%- else %}{{ type }}{%- endif %}{%- endmacro %}
{%- if messages[0]['role'] == 'system' %}{%- set system = messages[0]['content'] %}{%- set rest = messages[1:] %}{%- else %}{%- set rest = messages %}{%- endif %}
{%- if system is defined %}{{ bos_token + 'system\\n' + system }}{%- if tools is iterable and tools | length > 0 %}
{%- for tool in tools if tool.type == 'function' %}{{ '\\ndef ' + tool.function.name + '(' }}
{%- for name, schema in tool.function.parameters.properties | items %}{{ name + ': ' + kind(schema.type) }}{%- if not loop.last %}, {% endif %}{%- endfor %}{{ '):\\n     + tool.function.description | trim + 
' }}{%- endfor %}
{{- '<seed:tool_call>
<function=f>
<parameter=p>v</parameter>
</function>
</seed:tool_call>' }}{%- endif %}
{%- if thinking_budget is defined and thinking_budget in budgets %}{{ '
budget ' + thinking_budget | string }}{%- endif %}{{ eos_token }}{%- endif %}
{%- for message in rest %}{%- if message.role == 'assistant' and message.tool_calls is defined and message.tool_calls is iterable and message.tool_calls | length > 0 %}
{{- bos_token + message.role }}{%- if message.content is string and message.content | trim | length > 0 %}{{ '
' + message.content | trim }}{%- endif %}
{%- for call in message.tool_calls %}{%- if call.function is defined %}{% set call = call.function %}{% endif %}{{ '
<seed:tool_call>
<function=' + call.name + '>
' }}
{%- for name, value in call.arguments | items %}{{ '<parameter=' + name + '>' }}{%- set value = value if value is string else value | string %}{{ value + '</parameter>
' }}{%- endfor %}{{ '</function>
</seed:tool_call>' }}{%- endfor %}{{ eos_token }}
{%- else %}{{ bos_token + message.role + '
' + message.content + eos_token }}{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{ bos_token + 'assistant
' }}{%- if thinking_budget == 0 %}{{ '<seed:think>
' + think_end }}{%- endif %}{%- endif %}`,
    prompts: {
      plain: { text: `<bos>system\n짧게 답하세요.<eos><bos>user\n서울 날씨?<eos><bos>assistant\n` },
      'thinking on': { text: `<bos>system\n짧게 답하세요.<eos><bos>user\n서울 날씨?<eos><bos>assistant\n` },
      'thinking off': {
        text: `<bos>system\n짧게 답하세요.\nbudget 0<eos><bos>user\n서울 날씨?<eos><bos>assistant\n<seed:think>\n</seed:think>`,
      },
      'with tools': {
        text: `<bos>system\n짧게 답하세요.\ndef get_weather(city: str):\n     + tool.function.description | trim + \n<seed:tool_call>\n<function=f>\n<parameter=p>v</parameter>\n</function>\n</seed:tool_call><eos><bos>user\n서울 날씨?<eos><bos>assistant\n`,
      },
      'history of a call': {
        text: `<bos>system\n짧게 답하세요.\ndef get_weather(city: str):\n     + tool.function.description | trim + \n<seed:tool_call>\n<function=f>\n<parameter=p>v</parameter>\n</function>\n</seed:tool_call><eos><bos>user\n서울 날씨?<eos><bos>assistant\n<seed:tool_call>\n<function=get_weather>\n<parameter=city>서울</parameter>\n</function>\n</seed:tool_call><eos><bos>tool\n맑음<eos><bos>assistant\n`,
      },
      'history of two calls': {
        text: `<bos>system\n짧게 답하세요.\ndef get_weather(city: str):\n     + tool.function.description | trim + \n<seed:tool_call>\n<function=f>\n<parameter=p>v</parameter>\n</function>\n</seed:tool_call><eos><bos>user\n서울 날씨?<eos><bos>assistant\n확인합니다.\n<seed:tool_call>\n<function=get_weather>\n<parameter=city>서울</parameter>\n</function>\n</seed:tool_call>\n<seed:tool_call>\n<function=get_weather>\n<parameter=city>부산</parameter>\n</function>\n</seed:tool_call><eos><bos>tool\n맑음<eos><bos>tool\n비 "10mm"<eos><bos>assistant\n`,
      },
    },
  },
  {
    name: 'LFM 2.5',
    family: 'lfm',
    tools: true,
    thinking: 'none',
    source: `{%- macro one(value) -%}{%- if value is string -%}{{ "'" + value + "'" }}{%- elif value is mapping -%}{{ value | tojson }}{%- else -%}{{ value | string }}{%- endif -%}{%- endmacro -%}
{{- bos_token -}}{%- set ns = namespace(system='') -%}
{%- if messages[0].role == 'system' -%}{%- set ns.system = messages[0].content -%}{%- set messages = messages[1:] -%}{%- endif -%}
{%- if tools -%}{%- set ns.system = ns.system + ('\\n' if ns.system else '') + 'List of tools: [' -%}{%- for tool in tools -%}{%- set ns.system = ns.system + (tool | tojson if tool is not string else tool) + (', ' if not loop.last else '') -%}{%- endfor -%}{%- set ns.system = ns.system + ']' -%}{%- endif -%}
{%- if ns.system -%}{{ '<|im_start|>system\\n' + ns.system + '<|im_end|>\\n' }}{%- endif -%}
{%- for message in messages -%}{{ '<|im_start|>' + message.role + '\\n' }}
{%- if message.role == 'assistant' -%}{%- generation -%}{{- message.content -}}
{%- if message.tool_calls is defined -%}{%- set made = namespace(calls=[]) -%}{%- for call in message.tool_calls -%}{%- set parts = namespace(list=[]) -%}{%- for key, value in call.function.arguments.items() -%}{%- set parts.list = parts.list + [key + '=' + one(value)] -%}{%- endfor -%}{%- set made.calls = made.calls + [call.function.name + '(' + parts.list | join(', ') + ')'] -%}{%- endfor -%}{{- '<|tool_call_start|>[' + made.calls | join(', ') + ']<|tool_call_end|>' -}}{%- endif -%}{{- '<|im_end|>\\n' -}}{%- endgeneration -%}
{%- else -%}{{ message.content + '<|im_end|>\\n' }}{%- endif -%}{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_start|>assistant\\n' }}{%- endif -%}`,
    prompts: {
      plain: {
        text: `<bos><|im_start|>system\n짧게 답하세요.<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n`,
      },
      'with tools': {
        text: `<bos><|im_start|>system\n짧게 답하세요.\nList of tools: [${TOOL}]<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n`,
      },
      'history of a call': {
        text: `<bos><|im_start|>system\n짧게 답하세요.\nList of tools: [${TOOL}]<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n<|tool_call_start|>[get_weather(city='서울')]<|tool_call_end|><|im_end|>\n<|im_start|>tool\n맑음<|im_end|>\n<|im_start|>assistant\n`,
      },
      'history of two calls': {
        text: `<bos><|im_start|>system\n짧게 답하세요.\nList of tools: [${TOOL}]<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n확인합니다.<|tool_call_start|>[get_weather(city='서울'), get_weather(city='부산')]<|tool_call_end|><|im_end|>\n<|im_start|>tool\n맑음<|im_end|>\n<|im_start|>tool\n비 "10mm"<|im_end|>\n<|im_start|>assistant\n`,
      },
    },
  },
  {
    name: 'Kimi K2',
    family: 'kimi',
    tools: true,
    thinking: 'none',
    source: `{%- macro render(content) -%}{%- if content is string -%}{{ content }}{%- elif content is not none -%}{%- for part in content -%}{{ part.text }}{%- endfor -%}{%- endif -%}{%- endmacro -%}
{%- set counter = namespace(value=0) -%}{%- set queue = namespace(ids=[]) -%}
{%- if tools -%}{{ '<|im_system|>tool_declare<|im_middle|>' + (tools | tojson(separators=(',', ':'))) + '<|im_end|>' }}{%- endif -%}
{%- for message in messages -%}{%- set name = message.get('name') or message.role -%}
{%- if message.role == 'user' -%}{{ '<|im_user|>' + name }}{%- elif message.role == 'assistant' -%}{{ '<|im_assistant|>' + name }}{%- else -%}{{ '<|im_system|>' + name }}{%- endif -%}{{ '<|im_middle|>' }}
{%- if message.role == 'assistant' and message.get('tool_calls') -%}{{ render(message.content) }}{{ '<|tool_calls_section_begin|>' }}
{%- for call in message['tool_calls'] -%}{%- set id = 'functions.' + call['function']['name'] + ':' + (counter.value | string) -%}{%- set counter.value = counter.value + 1 -%}{%- set _ = queue.ids.append(id) -%}{{ '<|tool_call_begin|>' + id + '<|tool_call_argument_begin|>' }}{% if call['function']['arguments'] is string %}{{ call['function']['arguments'] }}{% else %}{{ call['function']['arguments'] | tojson }}{% endif %}{{ '<|tool_call_end|>' }}{%- endfor -%}{{ '<|tool_calls_section_end|>' }}
{%- elif message.role == 'tool' -%}{{ '## Return of ' + (queue.ids.pop(0) if queue.ids else 'unknown') + '\\n' }}{{ render(message.content) }}
{%- else -%}{{ render(message.content) }}{%- endif -%}{{ '<|im_end|>' }}{%- endfor -%}
{%- if add_generation_prompt -%}{{ '<|im_assistant|>assistant<|im_middle|>' }}{%- endif -%}`,
    prompts: {
      plain: {
        text: `<|im_system|>system<|im_middle|>짧게 답하세요.<|im_end|><|im_user|>user<|im_middle|>서울 날씨?<|im_end|><|im_assistant|>assistant<|im_middle|>`,
      },
      'with tools': {
        text: `<|im_system|>tool_declare<|im_middle|>[${COMPACT_TOOL}]<|im_end|><|im_system|>system<|im_middle|>짧게 답하세요.<|im_end|><|im_user|>user<|im_middle|>서울 날씨?<|im_end|><|im_assistant|>assistant<|im_middle|>`,
      },
      'history of a call': {
        text: `<|im_system|>tool_declare<|im_middle|>[${COMPACT_TOOL}]<|im_end|><|im_system|>system<|im_middle|>짧게 답하세요.<|im_end|><|im_user|>user<|im_middle|>서울 날씨?<|im_end|><|im_assistant|>assistant<|im_middle|><|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "서울"}<|tool_call_end|><|tool_calls_section_end|><|im_end|><|im_system|>get_weather<|im_middle|>## Return of functions.get_weather:0\n맑음<|im_end|><|im_assistant|>assistant<|im_middle|>`,
      },
      'history of two calls': {
        text: `<|im_system|>tool_declare<|im_middle|>[${COMPACT_TOOL}]<|im_end|><|im_system|>system<|im_middle|>짧게 답하세요.<|im_end|><|im_user|>user<|im_middle|>서울 날씨?<|im_end|><|im_assistant|>assistant<|im_middle|>확인합니다.<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "서울"}<|tool_call_end|><|tool_call_begin|>functions.get_weather:1<|tool_call_argument_begin|>{"city": "부산"}<|tool_call_end|><|tool_calls_section_end|><|im_end|><|im_system|>get_weather<|im_middle|>## Return of functions.get_weather:0\n맑음<|im_end|><|im_system|>get_weather<|im_middle|>## Return of functions.get_weather:1\n비 "10mm"<|im_end|><|im_assistant|>assistant<|im_middle|>`,
      },
    },
  },
  {
    name: 'Qwen 3.5',
    family: 'qwen-coder',
    tools: true,
    thinking: 'optional',
    source: `{%- macro content_of(content, is_system=false) %}{%- if content is string %}{{- content }}{%- elif content is iterable and content is not mapping %}{%- for part in content %}{{- part.text }}{%- endfor %}{%- elif content is none or content is undefined %}{{- '' }}{%- else %}{{- raise_exception('Unexpected content.') }}{%- endif %}{%- endmacro %}
{%- if not messages %}{{- raise_exception('No messages.') }}{%- endif %}
{%- if tools and tools is iterable and tools is not mapping %}{{- '<|im_start|>system\\n# Tools\\n<tools>' }}{%- for tool in tools %}{{- '\\n' }}{{- tool | tojson }}{%- endfor %}{{- '\\n</tools>\\n<tool_call>\\n<function=f>\\n<parameter=p>\\nv\\n</parameter>\\n</function>\\n</tool_call>' }}
{%- if messages[0].role == 'system' %}{%- set content = content_of(messages[0].content, true) | trim %}{%- if content %}{{- '\\n\\n' + content }}{%- endif %}{%- endif %}{{- '<|im_end|>\\n' }}
{%- elif messages[0].role == 'system' %}{{- '<|im_start|>system\\n' + content_of(messages[0].content) | trim + '<|im_end|>\\n' }}{%- endif %}
{%- set ns = namespace(seeking=true, last=messages | length - 1) %}
{%- for message in messages[::-1] %}{%- set index = (messages | length - 1) - loop.index0 %}{%- if ns.seeking and message.role == 'user' %}{%- set content = content_of(message.content) | trim %}{%- if not (content.startswith('<tool_response>') and content.endswith('</tool_response>')) %}{%- set ns.seeking = false %}{%- set ns.last = index %}{%- endif %}{%- endif %}{%- endfor %}
{%- for message in messages %}{%- set content = content_of(message.content) | trim %}
{%- if message.role == 'system' %}{%- if not loop.first %}{{- raise_exception('System message must be at the beginning.') }}{%- endif %}
{%- elif message.role == 'user' %}{{- '<|im_start|>user\\n' + content + '<|im_end|>\\n' }}
{%- elif message.role == 'assistant' %}{%- set reasoning = '' %}{%- if '</think>' in content %}{%- set reasoning = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}{%- set content = content.split('</think>')[-1].lstrip('\\n') %}{%- endif %}
{%- if loop.index0 > ns.last %}{{- '<|im_start|>assistant\\n<think>\\n' + reasoning | trim + '\\n</think>\\n\\n' + content }}{%- else %}{{- '<|im_start|>assistant\\n' + content }}{%- endif %}
{%- for call in message.tool_calls or [] %}{%- set call = call.function if call.function is defined else call %}{%- if loop.first and not content | trim %}{{- '<tool_call>\\n<function=' + call.name + '>\\n' }}{%- else %}{{- '\\n<tool_call>\\n<function=' + call.name + '>\\n' }}{%- endif %}
{%- if call.arguments is mapping %}{%- for name, value in call.arguments | items %}{{- '<parameter=' + name + '>\\n' }}{%- set value = value | tojson | safe if value is mapping or (value is sequence and value is not string) else value | string %}{{- value + '\\n</parameter>\\n' }}{%- endfor %}{%- endif %}{{- '</function>\\n</tool_call>' }}{%- endfor %}{{- '<|im_end|>\\n' }}
{%- elif message.role == 'tool' %}{%- if loop.previtem and loop.previtem.role != 'tool' %}{{- '<|im_start|>user' }}{%- endif %}{{- '\\n<tool_response>\\n' + content + '\\n</tool_response>' }}{%- if loop.last or loop.nextitem.role != 'tool' %}{{- '<|im_end|>\\n' }}{%- endif %}{%- endif %}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|im_start|>assistant\\n' }}{%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- else %}{{- '<think>\\n' }}{%- endif %}{%- endif %}`,
    prompts: {
      plain: {
        text: `<|im_start|>system\n짧게 답하세요.<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n<think>\n`,
        open: true,
      },
      'thinking on': {
        text: `<|im_start|>system\n짧게 답하세요.<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n<think>\n`,
        open: true,
      },
      'thinking off': {
        text: `<|im_start|>system\n짧게 답하세요.<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n`,
      },
      'with tools': {
        text: `<|im_start|>system\n# Tools\n<tools>\n${TOOL}\n</tools>\n<tool_call>\n<function=f>\n<parameter=p>\nv\n</parameter>\n</function>\n</tool_call>\n\n짧게 답하세요.<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n<think>\n`,
        open: true,
      },
      'history of a call': {
        text: `<|im_start|>system\n# Tools\n<tools>\n${TOOL}\n</tools>\n<tool_call>\n<function=f>\n<parameter=p>\nv\n</parameter>\n</function>\n</tool_call>\n\n짧게 답하세요.<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n<tool_call>\n<function=get_weather>\n<parameter=city>\n서울\n</parameter>\n</function>\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n맑음\n</tool_response><|im_end|>\n<|im_start|>assistant\n<think>\n`,
        open: true,
      },
      'history of two calls': {
        text: `<|im_start|>system\n# Tools\n<tools>\n${TOOL}\n</tools>\n<tool_call>\n<function=f>\n<parameter=p>\nv\n</parameter>\n</function>\n</tool_call>\n\n짧게 답하세요.<|im_end|>\n<|im_start|>user\n서울 날씨?<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n확인합니다.\n<tool_call>\n<function=get_weather>\n<parameter=city>\n서울\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=get_weather>\n<parameter=city>\n부산\n</parameter>\n</function>\n</tool_call><|im_end|>\n<|im_start|>user\n<tool_response>\n맑음\n</tool_response>\n<tool_response>\n비 "10mm"\n</tool_response><|im_end|>\n<|im_start|>assistant\n<think>\n`,
        open: true,
      },
    },
  },
  {
    name: 'DeepSeek V3.2',
    family: 'deepseek',
    tools: true,
    thinking: 'optional',
    source: `{%- if thinking is not defined %}{%- set thinking = enable_thinking | default(false) %}{%- endif %}{%- set mark = '｜DSML｜' %}
{%- set is_last = namespace(user=-1) %}{%- for m in messages %}{%- if m.role == 'user' %}{%- set is_last.user = loop.index0 %}{%- endif %}{%- endfor %}
{{- bos_token }}{%- for m in messages %}
{%- if m.role == 'system' %}{{- m.content }}{%- if tools %}{{- '\\n\\n## Tools\\n' }}{%- for tool in tools %}{{- tool.function | tojson(ensure_ascii=False) + '\\n' }}{%- endfor %}{%- endif %}
{%- elif m.role == 'user' %}{{- '<｜User｜>' + m.content + '<｜Assistant｜>' + ('<think>' if thinking and loop.index0 == is_last.user else '</think>') }}
{%- elif m.role == 'assistant' %}{{- m.content or '' }}{%- if m.tool_calls %}{{- '\\n\\n<' + mark + 'function_calls>\\n' }}{%- for call in m.tool_calls %}{{- '<' + mark + 'invoke name="' + call.function.name + '">\\n' }}
{%- for key, value in call.function.arguments.items() %}{{- '<%sparameter name="%s" string="%s">' % (mark, key, 'true' if value is string else 'false') }}{{- value if value is string else value | tojson }}{{- '</' ~ mark ~ 'parameter>\\n' }}{%- endfor %}{{- '</' + mark + 'invoke>\\n' }}{%- endfor %}{{- '</' + mark + 'function_calls>' }}{%- endif %}{{- '<｜end▁of▁sentence｜>' }}
{%- elif m.role == 'tool' %}{%- if messages[loop.index0 - 1].role != 'tool' %}{{- '\\n\\n<function_results>' }}{%- endif %}{{- '\\n<result>' + m.content + '</result>' }}{%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{- '\\n</function_results>\\n\\n' + ('<think>' if thinking else '</think>') }}{%- endif %}{%- endif %}{%- endfor %}`,
    prompts: {
      plain: { text: `<bos>짧게 답하세요.<｜User｜>서울 날씨?<｜Assistant｜></think>` },
      'thinking on': { text: `<bos>짧게 답하세요.<｜User｜>서울 날씨?<｜Assistant｜><think>`, open: true },
      'thinking off': { text: `<bos>짧게 답하세요.<｜User｜>서울 날씨?<｜Assistant｜></think>` },
      'with tools': {
        text: `<bos>짧게 답하세요.\n\n## Tools\n${FUNCTION}\n<｜User｜>서울 날씨?<｜Assistant｜></think>`,
      },
      'history of a call': {
        text: `<bos>짧게 답하세요.\n\n## Tools\n${FUNCTION}\n<｜User｜>서울 날씨?<｜Assistant｜></think>\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">서울</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls><｜end▁of▁sentence｜>\n\n<function_results>\n<result>맑음</result>\n</function_results>\n\n</think>`,
      },
      'history of two calls': {
        text: `<bos>짧게 답하세요.\n\n## Tools\n${FUNCTION}\n<｜User｜>서울 날씨?<｜Assistant｜></think>확인합니다.\n\n<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">서울</｜DSML｜parameter>\n</｜DSML｜invoke>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">부산</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls><｜end▁of▁sentence｜>\n\n<function_results>\n<result>맑음</result>\n<result>비 "10mm"</result>\n</function_results>\n\n</think>`,
      },
    },
  },
  {
    name: 'Solar Open',
    family: 'solar',
    tools: true,
    thinking: 'optional',
    source: `{%- set reasoning_effort = reasoning_effort if reasoning_effort is defined else 'high' %}
{%- macro name_of(messages, id) %}{%- for m in messages -%}{%- if m.role == 'assistant' and m.tool_calls -%}{%- for call in m.tool_calls -%}{%- if call.id == id -%}{{- call.function.name }}{%- endif -%}{%- endfor -%}{%- endif -%}{%- endfor -%}{%- endmacro %}
{%- macro args_of(args) %}{%- if args is mapping -%}{{- args | tojson }}{%- else -%}{{- args }}{%- endif -%}{%- endmacro %}
{{- '<|begin|>system<|content|>' }}{%- set ns = namespace(first=true) %}{%- if messages[0].role == 'system' %}{%- set ns.first = false %}{{- messages[0].content }}{%- endif %}
{%- if tools %}{%- if not ns.first %}{{- '\\n\\n' }}{%- endif %}{{- '## Tools\\n<|tools:begin|>' }}{%- for tool in tools %}{{- '<|tool:begin|>' + (tool.function | tojson) + '<|tool:end|>' }}{%- endfor %}{{- '<|tools:end|>' }}{%- endif %}{{- '<|end|>' }}
{%- for message in messages -%}{%- if message.role == 'user' -%}{{- '<|begin|>user<|content|>' + message.content + '<|end|>' }}
{%- elif message.role == 'tool' -%}{%- set before = loop.index0 > 0 and messages[loop.index0 - 1].role == 'tool' -%}{%- set after = loop.index0 < (messages | length - 1) and messages[loop.index0 + 1].role == 'tool' -%}{%- if not before -%}{{- '<|begin|>tool<|tool_response|>' }}{%- endif -%}{{- '<|tool_response:begin|>' + message.tool_call_id + '<|tool_response:name|>' + name_of(messages, message.tool_call_id) + '<|tool_response:result|>' + message.content + '<|tool_response:end|>' }}{%- if not after -%}{{- '<|end|>' }}{%- endif -%}
{%- elif message.role == 'assistant' -%}{%- if message.tool_calls -%}{{- '<|begin|>assistant<|tool_calls|>' }}{%- for call in message.tool_calls -%}{{- '<|tool_call:begin|>' + call.id + '<|tool_call:name|>' + call.function.name + '<|tool_call:args|>' + args_of(call.function.arguments) + '<|tool_call:end|>' }}{%- endfor -%}{{- '<|calls|>' }}{%- else -%}{{- '<|begin|>assistant<|content|>' + message.content + '<|end|>' }}{%- endif -%}{%- endif -%}{%- endfor -%}
{%- if add_generation_prompt -%}{%- if reasoning_effort in ['low', 'minimal'] -%}{{- '<|begin|>assistant<|think|><|end|>' }}{%- endif -%}{{- '<|begin|>assistant' }}{%- endif -%}`,
    prompts: {
      plain: {
        text: `<|begin|>system<|content|>짧게 답하세요.<|end|><|begin|>user<|content|>서울 날씨?<|end|><|begin|>assistant`,
      },
      'thinking on': {
        text: `<|begin|>system<|content|>짧게 답하세요.<|end|><|begin|>user<|content|>서울 날씨?<|end|><|begin|>assistant`,
      },
      'thinking off': {
        text: `<|begin|>system<|content|>짧게 답하세요.<|end|><|begin|>user<|content|>서울 날씨?<|end|><|begin|>assistant<|think|><|end|><|begin|>assistant`,
      },
      'with tools': {
        text: `<|begin|>system<|content|>짧게 답하세요.\n\n## Tools\n<|tools:begin|><|tool:begin|>${FUNCTION}<|tool:end|><|tools:end|><|end|><|begin|>user<|content|>서울 날씨?<|end|><|begin|>assistant`,
      },
      'history of a call': {
        text: `<|begin|>system<|content|>짧게 답하세요.\n\n## Tools\n<|tools:begin|><|tool:begin|>${FUNCTION}<|tool:end|><|tools:end|><|end|><|begin|>user<|content|>서울 날씨?<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>c1<|tool_call:name|>get_weather<|tool_call:args|>{"city": "서울"}<|tool_call:end|><|calls|><|begin|>tool<|tool_response|><|tool_response:begin|>c1<|tool_response:name|>get_weather<|tool_response:result|>맑음<|tool_response:end|><|end|><|begin|>assistant`,
      },
      'history of two calls': {
        text: `<|begin|>system<|content|>짧게 답하세요.\n\n## Tools\n<|tools:begin|><|tool:begin|>${FUNCTION}<|tool:end|><|tools:end|><|end|><|begin|>user<|content|>서울 날씨?<|end|><|begin|>assistant<|tool_calls|><|tool_call:begin|>c1<|tool_call:name|>get_weather<|tool_call:args|>{"city": "서울"}<|tool_call:end|><|tool_call:begin|>c2<|tool_call:name|>get_weather<|tool_call:args|>{"city": "부산"}<|tool_call:end|><|calls|><|begin|>tool<|tool_response|><|tool_response:begin|>c1<|tool_response:name|>get_weather<|tool_response:result|>맑음<|tool_response:end|><|tool_response:begin|>c2<|tool_response:name|>get_weather<|tool_response:result|>비 "10mm"<|tool_response:end|><|end|><|begin|>assistant`,
      },
    },
  },
  {
    name: 'EXAONE 4, several turns',
    family: 'exaone',
    tools: true,
    thinking: 'optional',
    source: `{%- set signs = {'user': '[|user|]\\n', 'assistant': '[|assistant|]\\n', 'system': '[|system|]\\n', 'tool': '[|tool|]\\n'} %}{%- set end = '[|endofturn|]\\n' %}
{%- macro list(tools) %}{{- '# Available Tools' }}{%- for tool in tools %}{{- '\\n<tool>' }}{{- tool | tojson(ensure_ascii=False) | safe }}{{- '</tool>' }}{%- endfor %}{%- endmacro %}
{%- for i in range(messages | length) %}{%- set m = messages[i] %}{%- set role = m.role %}{%- if role not in signs %}{{- raise_exception('Unknown role: ' ~ role) }}{%- endif %}
{%- if i == 0 %}{%- if role == 'system' %}{{- signs['system'] }}{{- m.content }}{%- if tools is defined and tools %}{{- '\\n\\n' }}{{- list(tools) }}{%- endif %}{{- end -}}{%- continue %}{%- elif tools is defined and tools %}{{- signs['system'] }}{{- list(tools) }}{{- end -}}{%- endif %}{%- endif %}
{%- if role == 'assistant' %}{{- signs['assistant'] }}{%- if m.content %}{%- if '</think>' in m.content %}{%- set kept = m.content.split('</think>')[-1].strip() %}{%- else %}{%- set kept = m.content %}{%- endif %}{{- '<think>\\n\\n</think>\\n\\n' }}{{- kept }}{%- endif %}
{%- if m.tool_calls %}{%- if m.content %}{{- '\\n' }}{%- else %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- for call in m.tool_calls %}{%- if call.function is defined %}{%- set call = call.function %}{%- endif %}{%- if call.arguments is defined %}{%- set args = call.arguments %}{%- else %}{{- raise_exception('arguments are mandatory: ' ~ call) }}{%- endif %}{{- '<tool_call>' }}{"name": "{{- call.name }}", "arguments": {{ args | tojson(ensure_ascii=False) | safe }}}{{- '</tool_call>' }}{%- if not loop.last %}{{- '\\n' }}{%- endif %}{%- endfor %}{%- endif %}{{- end -}}
{%- elif role == 'tool' %}{%- if i == 0 or messages[i - 1].role != 'tool' %}{{- signs['tool'] }}{%- endif %}{{- '<tool_result>' }}{"result": {{ m.content | tojson(ensure_ascii=False) | safe }}}{{- '</tool_result>' }}{%- if loop.last or messages[i + 1].role != 'tool' %}{{- end -}}{%- else %}{{- '\\n' }}{%- endif %}
{%- else %}{{- signs[role] }}{{- m.content }}{{- end -}}{%- endif %}{% endfor %}
{%- if add_generation_prompt %}{{- signs['assistant'] }}{%- if enable_thinking is defined and enable_thinking is true %}{{- '<think>\\n' }}{%- else %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}{%- endif %}`,
    prompts: {
      plain: {
        text: `[|system|]\n짧게 답하세요.[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n`,
      },
      'thinking on': {
        text: `[|system|]\n짧게 답하세요.[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<think>\n`,
        open: true,
      },
      'thinking off': {
        text: `[|system|]\n짧게 답하세요.[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n`,
      },
      'with tools': {
        text: `[|system|]\n짧게 답하세요.\n\n# Available Tools\n<tool>${TOOL}</tool>[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n`,
      },
      'history of a call': {
        text: `[|system|]\n짧게 답하세요.\n\n# Available Tools\n<tool>${TOOL}</tool>[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n<tool_call>{"name": "get_weather", "arguments": {"city": "서울"}}</tool_call>[|endofturn|]\n[|tool|]\n<tool_result>{"result": "맑음"}</tool_result>[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n`,
      },
      'history of two calls': {
        text: `[|system|]\n짧게 답하세요.\n\n# Available Tools\n<tool>${TOOL}</tool>[|endofturn|]\n[|user|]\n서울 날씨?[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n확인합니다.\n<tool_call>{"name": "get_weather", "arguments": {"city": "서울"}}</tool_call>\n<tool_call>{"name": "get_weather", "arguments": {"city": "부산"}}</tool_call>[|endofturn|]\n[|tool|]\n<tool_result>{"result": "맑음"}</tool_result>\n<tool_result>{"result": "비 \\"10mm\\""}</tool_result>[|endofturn|]\n[|assistant|]\n<think>\n\n</think>\n\n`,
      },
    },
  },
  {
    name: 'Mi:dm 2.0',
    family: 'llama',
    tools: true,
    thinking: 'none',
    source: `{{- bos_token }}{{- '<|start_header_id|>system<|end_header_id|>\\n' }}{{- strftime_now('%Y')[:2] }}{%- if tools %}{{- '\\n<tool_call>{"name": "f", "arguments": {}}</tool_call>\\n\\ntool_list:[' }}{%- for tool in tools %}{{- tool.function | tojson }}{{- ',' if not loop.last }}{%- endfor %}{{- ']' }}{%- endif %}
{%- if messages[0].role == 'system' %}{{- '\\n' ~ messages[0].content }}{%- endif %}{{- '<|eot_id|>' }}
{%- for m in messages if m.role != 'system' %}{{- '<|start_header_id|>' ~ m.role ~ '<|end_header_id|>\\n\\n' }}{%- if m.content %}{{- m.content }}{%- elif m.tool_calls %}{%- for call in m.tool_calls %}{{- '<tool_call>' ~ {'name': call.function.name, 'arguments': call.function.arguments} | tojson ~ '</tool_call>' }}{%- endfor %}{%- endif %}{{- '<|eot_id|>' }}{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{%- endif %}`,
    prompts: {
      plain: {
        text: `<bos><|start_header_id|>system<|end_header_id|>\n20\n짧게 답하세요.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n서울 날씨?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n`,
      },
      'with tools': {
        text: `<bos><|start_header_id|>system<|end_header_id|>\n20\n<tool_call>{"name": "f", "arguments": {}}</tool_call>\n\ntool_list:[${FUNCTION}]\n짧게 답하세요.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n서울 날씨?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n`,
      },
      'history of a call': {
        text: `<bos><|start_header_id|>system<|end_header_id|>\n20\n<tool_call>{"name": "f", "arguments": {}}</tool_call>\n\ntool_list:[${FUNCTION}]\n짧게 답하세요.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n서울 날씨?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n<tool_call>{"name": "get_weather", "arguments": {"city": "서울"}}</tool_call><|eot_id|><|start_header_id|>tool<|end_header_id|>\n\n맑음<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n`,
      },
      'history of two calls': {
        text: `<bos><|start_header_id|>system<|end_header_id|>\n20\n<tool_call>{"name": "f", "arguments": {}}</tool_call>\n\ntool_list:[${FUNCTION}]\n짧게 답하세요.<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n서울 날씨?<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n확인합니다.<|eot_id|><|start_header_id|>tool<|end_header_id|>\n\n맑음<|eot_id|><|start_header_id|>tool<|end_header_id|>\n\n비 "10mm"<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n`,
      },
    },
  },
];
