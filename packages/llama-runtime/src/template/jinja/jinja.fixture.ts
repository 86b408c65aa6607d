/**
 * Templates and what Jinja of Python (3.1, as Hugging Face Transformers sets it up: trimmed blocks, loop controls, its own `tojson`) makes
 * of them.
 */
export const rendered: readonly (readonly [template: string, text: string])[] = [
  [
    '{{ none }} {{ true }} {{ false }} {{ missing }} {{ 1.0 }} {{ 7 / 2 }} {{ 6 / 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 2 ** 10 }} {{ 2 ** -1 }}',
    'None True False  1.0 3.5 3.0 3 -4 2 1024 0.5',
  ],
  [
    "{{ 0.00001 }} {{ 0.1 + 0.2 }} {{ 3 * 'ab' }} {{ [1] * 3 }} {{ 10 % 4 }}",
    '1e-05 0.30000000000000004 ababab [1, 1, 1] 2',
  ],
  [
    "{{ ['a', \"it's\", 'say \"hi\"', 1, 2.5, none, true, {'k': 'v'}, ('x', 1)] }}",
    "['a', \"it's\", 'say \"hi\"', 1, 2.5, None, True, {'k': 'v'}, ('x', 1)]",
  ],
  [
    "{{ {'a': 1, 2: 'b', none: []} }} {{ {0: 'zero', 512: 'x'}[512] }} {{ 512 in {0: 1, 512: 2} }}",
    "{'a': 1, 2: 'b', None: []} x True",
  ],
  [
    "{{ {'a': '가\\n\\t\"\\\\', 'b': [1.5, none, true], 'c': {}, 'd': []} | tojson }}",
    '{"a": "가\\n\\t\\"\\\\", "b": [1.5, null, true], "c": {}, "d": []}',
  ],
  [
    "{{ {'b': 1, 'a': [1, {'x': '가'}]} | tojson(indent=2, sort_keys=true) }}",
    '{\n  "a": [\n    1,\n    {\n      "x": "가"\n    }\n  ],\n  "b": 1\n}',
  ],
  [
    "{{ {'b': 1, 'a': [1]} | tojson(separators=(',', ':')) }} {{ '가' | tojson(ensure_ascii=true) }} {{ '<a href=\"x\">&\\u007f' | tojson }}",
    '{"b":1,"a":[1]} "\\uac00" "<a href=\\"x\\">&"',
  ],
  [
    "{{ missing | upper }}|{{ missing | length }}|{{ missing | default('d') }}|{{ '' | default('d', true) }}|{{ none | default('d') }}|{{ missing | join }}",
    '|0|d|d|None|',
  ],
  ["{{ none | string }} {{ [1, 'a'] | string }} {{ 5 | string }} {{ true | string | lower }}", "None [1, 'a'] 5 true"],
  [
    "{{ '  xx\\n'.strip() }}|{{ '\\n xx\\n'.lstrip('\\n') }}|{{ 'abcxcba'.strip('abc') }}|{{ 'xx--'.rstrip('-') }}",
    'xx| xx\n|x|xx',
  ],
  [
    "{{ 'a,b,,c'.split(',') }} {{ ' a  b c '.split() }} {{ 'a b c'.split(' ', 1) }} {{ 'a b c'.rsplit(' ', 1) }} {{ 'a</t>b</t>c'.split('</t>')[-1] }} {{ 'a\\nb\\r\\nc\\n'.splitlines() }}",
    "['a', 'b', '', 'c'] ['a', 'b', 'c'] ['a', 'b c'] ['a b', 'c'] c ['a', 'b', 'c']",
  ],
  [
    "{{ 'hello World'.title() }} {{ 'hELLO'.capitalize() }} {{ 'hELLO wORLD' | capitalize }} {{ \"it's a-test (x)\" | title }} {{ 'ab'.upper() }} {{ 'Ab'.swapcase() }}",
    "Hello World Hello Hello world It's A-Test (X) AB aB",
  ],
  [
    "{{ 'abc'.startswith(('x', 'a')) }} {{ 'abc'.endswith('bc') }} {{ 'abcabc'.find('c') }} {{ 'abc'.find('z') }} {{ 'abcabc'.count('ab') }} {{ 'aXbX'.replace('X', '-', 1) }} {{ 'abc'.replace('', '.') }}",
    'True True 2 -1 2 a-bX .a.b.c.',
  ],
  [
    "{{ '{} and {}'.format('a', 1) }} {{ '{0}{1}{0}'.format('x', 'y') }} {{ '{name}!'.format(name='n') }} {{ '{:>5}|{:<4}|{:^5}|{:05.1f}'.format('a', 'b', 'c', 2.24) }}",
    'a and 1 xyx n!     a|b   |  c  |002.2',
  ],
  [
    "{{ '%s-%d-%.2f-%5s|%-3s|%%' % ('a', 3, 1.239, 'x', 'y') }} {{ '%s' % 'z' }} {{ '%(a)s' % {'a': 1} }} {{ '%s, %s' | format('p', 'q') }}",
    'a-3-1.24-    x|y  |% z 1 p, q',
  ],
  [
    "{{ 'ab'.join(['1', '2', '3']) }} {{ ['a', 1, none] | join('-') }} {{ [{'n': 'x'}, {'n': 'y'}] | join(',', attribute='n') }} {{ 'abc' | join('.') }}",
    '1ab2ab3 a-1-None x,y a.b.c',
  ],
  [
    "{{ '한글🙂끝'[2] }} {{ '한글🙂끝' | length }} {{ '한글🙂끝'[::-1] }} {{ '한글🙂끝'[1:3] }} {{ 'abcdef'[-3:] }} {{ 'abcdef'[::2] }} {{ [1, 2, 3, 4][1:-1] }} {{ [1, 2, 3][::-1] }} {{ (1, 2, 3)[:2] }} {{ [1, 2][5] }}",
    '🙂 4 끝🙂글한 글🙂 def ace [2, 3] [3, 2, 1] (1, 2) ',
  ],
  [
    "{{ [3, 1, 2] | sort }} {{ ['b', 'A', 'c'] | sort }} {{ ['b', 'A', 'c'] | sort(case_sensitive=true) }} {{ [3, 1, 2] | sort(reverse=true) }} {{ [{'n': 2}, {'n': 1}] | sort(attribute='n') | map(attribute='n') | list }}",
    "[1, 2, 3] ['A', 'b', 'c'] ['A', 'b', 'c'] [3, 2, 1] [1, 2]",
  ],
  [
    "{{ {'b': 1, 'A': 2} | dictsort }} {{ {'b': 1, 'a': 2} | dictsort(false, 'value') }} {{ {'b': 1} | items | list }}",
    "[('A', 2), ('b', 1)] [('b', 1), ('a', 2)] [('b', 1)]",
  ],
  [
    "{{ [1, 2, 3, 4] | select('even') | list }} {{ [0, 1, '', 'x'] | select | list }} {{ [1, 2, 3] | reject('odd') | list }} {{ [1, 5, 3] | select('gt', 2) | list }} {{ ['a', 'b'] | select('in', ['b', 'c']) | list }}",
    "[2, 4] [1, 'x'] [2] [5, 3] ['b']",
  ],
  [
    "{{ [{'r': 'u', 'n': 1}, {'r': 't', 'n': 2}, {'n': 3}] | selectattr('r', 'equalto', 't') | map(attribute='n') | list }} {{ [{'r': 1}, {'x': 1}] | selectattr('r', 'defined') | list | length }} {{ [{'r': 1}, {'r': 0}] | rejectattr('r') | list }} {{ [{'a': {'b': 1}}] | map(attribute='a.b') | list }}",
    "[2] 1 [{'r': 0}] [1]",
  ],
  [
    "{{ none | selectattr('a') | list }} {{ none | select('even') | list | length }} {{ missing | rejectattr('a') | list }} {{ 0 | map('upper') | list }} {{ '' | reject('odd') | list }}",
    '[] 0 [] [] []',
  ],
  [
    "{{ ['a', 'b'] | map('upper') | list }} {{ [{'n': 1}, {}] | map(attribute='n', default=0) | list }} {{ [1, 2, 2, 1] | unique | list }} {{ [1, 2, 3] | sum }} {{ [1, 5, 2] | max }} {{ ['b', 'A'] | min }} {{ [1, 2, 3] | first }} {{ [] | first }}|{{ 'abc' | last }}",
    "['A', 'B'] [1, 0] [1, 2] 6 5 A 1 |c",
  ],
  [
    "{{ [1, 2, 3, 4, 5] | batch(2, 0) | list }} {{ 'abc' | reverse }} {{ [1, 2] | reverse | list }} {{ 'abc' | list }} {{ {'a': 1} | list }}",
    "[[1, 2], [3, 4], [5, 0]] cba [2, 1] ['a', 'b', 'c'] ['a']",
  ],
  [
    "{{ '12.7' | int }} {{ 'x' | int(9) }} {{ 3.9 | int }} {{ -3.9 | int }} {{ '2.5' | float }} {{ 3 | float }} {{ 2.5 | round }} {{ 2.675 | round(1) }} {{ 1.1 | round(0, 'ceil') }} {{ -3 | abs }}",
    '12 9 3 -3 2.5 3.0 2.0 2.7 2.0 3',
  ],
  [
    "{{ 'a\\nb\\n\\nc' | indent }}|{{ 'a\\nb' | indent(2, true) }}|{{ 'a\\n\\nb' | indent(1, blank=true) }}|{{ 'a\\nb' | indent('> ') }}",
    'a\n    b\n\n    c|  a\n  b|a\n \n b|a\n> b',
  ],
  [
    "{{ '<b>&\"' | e }} {{ 'a b/c?' | urlencode }} {{ 'one two three' | wordcount }} {{ 'foo bar baz qux' | truncate(9) }} {{ 'foo bar baz qux' | truncate(9, true) }} {{ 'x' | center(5) }}| {{ ' a ' | trim }}| {{ 'xxaxx' | trim('x') }}",
    '&lt;b&gt;&amp;&#34; a%20b/c%3F 3 foo... foo ba...   x  | a| a',
  ],
  [
    "{{ 1 is integer }} {{ 1.0 is integer }} {{ true is integer }} {{ true is number }} {{ 1.5 is float }} {{ 'a' is string }} {{ [] is sequence }} {{ {} is mapping }} {{ 'a' is iterable }} {{ 'a' is sequence }} {{ none is none }} {{ missing is undefined }} {{ {} is iterable }} {{ 3 is odd }}",
    'True False False True True True True True True True True True True True',
  ],
  [
    "{{ 1 == 1.0 }} {{ true == 1 }} {{ 'a' == 'a' }} {{ [1, [2]] == [1, [2]] }} {{ {'a': 1} == {'a': 1.0} }} {{ (1, 2) == [1, 2] }} {{ none == missing }} {{ 'a' < 'b' }} {{ [1, 2] < [1, 3] }} {{ '가' > 'z' }} {{ 1 < 2 }}",
    'True True True True True False False True True True True',
  ],
  [
    "{{ 'a' in 'cat' }} {{ 2 in [1, 2] }} {{ 'k' in {'k': 1} }} {{ 'x' not in missing }} {{ [1] in [[1]] }} {{ none in [none] }}",
    'True True True True True True',
  ],
  [
    "{{ 1 ~ 'a' ~ none ~ true ~ [1] }} {{ 'a' ~ missing ~ 'b' }} {{ [] or 'x' }} {{ 0 and missing }} {{ not [] }} {{ 'a' if false }}| {{ 1 if true else 2 }}",
    '1aNoneTrue[1] ab x 0 True | 1',
  ],
  [
    '{% set ns = namespace(a=1, l=[]) %}{% for i in range(3) %}{% set ns.a = ns.a + i %}{% set ns.l = ns.l + [i] %}{% endfor %}{{ ns.a }} {{ ns.l }} {{ ns.missing is defined }}',
    '4 [0, 1, 2] False',
  ],
  [
    '{% set x = 1 %}{% for i in [1, 2, 3] %}{% if y is defined %}leak{% endif %}{% if i == 1 %}{% set y = 5 %}{% endif %}{% set x = i %}{% endfor %}{{ x }}{{ y is defined }}',
    '1False',
  ],
  [
    "{% for k, v in {'a': 1, 'b': 2}.items() %}{{ k }}={{ v }}{% if not loop.last %},{% endif %}{% endfor %} {% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %} {% for x in [] %}{% else %}none{% endfor %} {% for x in missing %}{% endfor %}{% for c in '한글' %}[{{ c }}]{% endfor %}",
    'a=1,b=2 123 none [한][글]',
  ],
  [
    '{% for i in range(10) if i is even %}{{ loop.index }}/{{ loop.length }}:{{ i }}{{ loop.previtem }}{{ loop.nextitem }} {% endfor %}',
    '1/5:02 2/5:204 3/5:426 4/5:648 5/5:86 ',
  ],
  [
    "{% for i in range(10) %}{% if i == 2 %}{% continue %}{% endif %}{% if i == 5 %}{% break %}{% endif %}{{ i }}{{ loop.cycle('a', 'b') }}{{ loop.revindex }}{{ loop.changed(i > 2) }} {% endfor %}",
    '0a10True 1b9False 3b7True 4a6False ',
  ],
  [
    "{% macro m(a, b='d', c=none) %}{{ a }}-{{ b }}-{{ c }}{% endmacro %}{{ m(1) }} {{ m(1, c=3) }} {{ m('x', 'y', 'z') }} {{ m() }}",
    '1-d-None 1-d-3 x-y-z -d-None',
  ],
  [
    '{% macro v() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ v(1, 2, k=3) }} {% macro c() %}<{{ caller() }}>{% endmacro %}{% call c() %}in{% endcall %} {% macro d() %}{{ caller(7) }}{% endmacro %}{% call(n) d() %}n{{ n }}{% endcall %}',
    "(1, 2){'k': 3} <in> n7",
  ],
  [
    "{% set top = 'o' %}{% macro s() %}{{ top }}{{ loop is defined }}{% endmacro %}{% for i in [1] %}{% set top = 'i' %}{{ s() }}{% endfor %}",
    'oFalse',
  ],
  [
    '{% set block %}a{% for i in [1, 2] %}{{ i }}{% endfor %}{% endset %}[{{ block }}] {% filter upper %}abc{{ 1 }}{% endfilter %} {% set a, b = 1, 2 %}{{ a + b }} {% set q = (1, 2) %}{{ q }}',
    '[a12] ABC1 3 (1, 2)',
  ],
  [
    "{{ {'a': 1}.get('a') }} {{ {'a': 1}.get('b') }} {{ {'a': 1}.get('b', 2) }} {{ {'items': [1]}['items'] }} {{ {'items': [1]}.items() | list }} {{ {'a': 1}.keys() | list }} {{ {'a': 1}.values() | list }} {{ {'a': 1}.b is defined }} {{ {'a': {'b': 2}}.a.b }}",
    "1 None 2 [1] [('items', [1])] ['a'] [1] False 2",
  ],
  [
    "{% set l = [1] %}{% set _ = l.append(2) %}{{ l }} {{ l.pop() }} {{ l }} {{ [1, 2].index(2) }} {{ 'a-b-c'.partition('-') }} {{ 'abc'.removeprefix('a') }} {{ 'abc'.removesuffix('c') }} {{ '5'.zfill(3) }} {{ 'a'.ljust(3) }}| {{ '12'.isdigit() }} {{ 'a1'.isalnum() }} {{ ' '.isspace() }}",
    "[1, 2] 2 [1] 1 ('a', '-', 'b-c') bc ab 005 a  | True True True",
  ],
  [
    "{{ range(3) | list }} {{ range(5, 0, -2) | list }} {{ dict(a=1, b=2) }} {% set j = joiner('|') %}{{ j() }}a{{ j() }}b {{ (1, 2) | tojson }} {{ 'a' 'b' }} {{ (2 + 3) * 4 }} {{ -5 + 2 }} {{ 'a\"b' }}",
    "[0, 1, 2] [5, 3, 1] {'a': 1, 'b': 2} a|b [1, 2] ab 20 -3 a\"b",
  ],
  [
    '{%- if true -%}\n   trimmed\n{%- endif %} {# comment #}{% if x is defined and x %}y{% elif 1 > 2 %}z{% else %}w{% endif %}',
    'trimmed w',
  ],
  [
    "{{ [{'a': 1, 'b': 'x'}, {'a': 1, 'b': 'y'}, {'a': 0, 'b': 'z'}] | groupby('a') | map('first') | list }} {{ 'Ü' | lower }} {{ 'ß' | upper }} {{ [1, [2, [3]]] | tojson }} {{ 1000000 * 1000000 }}",
    '[0, 1] ü SS [1, [2, [3]]] 1000000000000',
  ],
  [
    "{{ [] * 1000000000 }} {{ [1, 2, 3] | batch(2, 0) | list }} {{ list('ab') }} {{ dict({'a': 1}, b=2) }}",
    "[] [[1, 2], [3, 0]] ['a', 'b'] {'a': 1, 'b': 2}",
  ],
];

/** Templates that it refuses. */
export const refused: readonly string[] = [
  '{{ missing.x }}',
  "{{ missing + 'a' }}",
  "{{ 'a' + 1 }}",
  "{{ 'a' + none }}",
  '{{ none | length }}',
  '{{ nothing() }}',
  "{{ [1, 'a'] | sort }}",
  "{{ 'x' | nofilter }}",
  "{{ raise_exception('own words') }}",
  '{% for x in none %}{% endfor %}',
  '{% set a, b = [1] %}',
  '{{ 1 / 0 }}',
  "{{ 'a' in 5 }}",
  "{{ {'a': 1} | dictsort(by='key') | nofilter }}",
  '{{ [] < {} }}',
  "{{ {'a': 1}.x.y }}",
];
