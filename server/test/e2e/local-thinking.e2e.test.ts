import { mkdir, rename, rm } from 'node:fs/promises';
import { join as joinPath } from 'node:path';
import type { ModelList } from '@ai-studio/contract/models.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ScriptedModelOptions, writeScriptedModel } from '@ai-studio/llama-runtime/test/gguf/index.ts';
import { covers } from '../requirements.ts';
import { eventually } from '../support/eventually.ts';
import { call, chat, chatStream, expectError, join, jsonOf } from '../support/http.ts';
import { type Service, startService, temporaryFolder } from '../support/service.ts';

// Models whose template picks what they say: which of its branches was taken is what the reply tells.

const files: Readonly<Record<string, ScriptedModelOptions>> = {
  hyper: {
    chatTemplate: `{# tool/function_call #}{%- for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}{%- if force_reasoning %}<|route_on|>{% elif skip_reasoning %}<|route_off|>{% else %}<|route_free|>{% endif %}`,
    routes: {
      on: ['/think\n', '깊이 ', '생각함', '<|im_end|>', '\n', '<|im_start|>', 'assistant\n', '생각한 답'],
      off: ['\n바로 답'],
      free: ['\n제멋대로'],
    },
  },
  exa: {
    chatTemplate: `{%- for m in messages %}[|{{ m.role }}|]{{ m.content }}[|endofturn|]
{% endfor %}[|assistant|]{%- if enable_thinking is defined and enable_thinking %}<|route_on|>{% elif enable_thinking is defined %}<|route_off|>{% else %}<|route_free|>{% endif %}`,
    routes: { on: ['<think>', '곰곰이', '</think>', '끝에 답'], off: ['곧장 답'], free: ['마음대로'] },
  },
  oss: {
    chatTemplate: `{%- for m in messages %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{% endfor %}<|start|>assistant{# <|channel|> #}{{ '<|route_' ~ (reasoning_effort or 'none') ~ '|>' }}`,
    routes: {
      low: ['<|channel|>analysis<|message|>조금', '<|end|><|start|>assistant<|channel|>final<|message|>낮음'],
      medium: ['<|channel|>analysis<|message|>보통', '<|end|><|start|>assistant<|channel|>final<|message|>중간'],
      high: ['<|channel|>analysis<|message|>많이', '<|end|><|start|>assistant<|channel|>final<|message|>높음'],
      none: ['<|channel|>final<|message|>없음'],
    },
  },
};

let service: Service;
let dataFolder: string;
beforeAll(async () => {
  dataFolder = await temporaryFolder();
  const folder = joinPath(dataFolder, 'models');
  await mkdir(folder);
  const boundTo = (model: string) => ({ engines: [{ engine: 'llama', model }] });
  service = await startService({
    dataFolder,
    config: {
      models: {
        'CORE-GOV-THINK': boundTo('hyper'),
        'CORE-GOV': boundTo('hyper'),
        'CORE-GOV-THINK-V1-32B': boundTo('exa'),
        'LLM42-Open4': boundTo('hyper'),
        'K-Large-236B': boundTo('exa'),
        'vendor/gpt-oss-120b': boundTo('oss'),
      },
    },
  });
  for (const [id, options] of Object.entries(files)) {
    const path = joinPath(folder, `${id}.gguf`);
    writeScriptedModel(`${path}.part`, options);
    await rename(`${path}.part`, path);
  }
  await eventually(async () => {
    const known = jsonOf<ModelList>(await call(service, '/v1/models')).data.map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining(Object.keys(files)));
  });
});
afterAll(async () => {
  await service.close();
  await rm(dataFolder, { recursive: true, force: true });
});

interface Said {
  readonly thought: string | null;
  readonly answer: string;
}

const thinks = (thought: string, answer: string): Said => ({ thought, answer });
const answers = (answer: string): Said => ({ thought: null, answer });
const hyper = { on: thinks('깊이 생각함', '생각한 답'), off: answers('바로 답') };
const exa = { on: thinks('곰곰이', '끝에 답'), off: answers('곧장 답') };

type Case = readonly [model: string, fields: Record<string, unknown>, wanted: Said];
const kwargs = (chat_template_kwargs: Record<string, unknown>) => ({ chat_template_kwargs });

const cases: readonly Case[] = [
  ['CORE-GOV-THINK', {}, hyper.on],
  ['CORE-GOV-THINK', kwargs({ skip_reasoning: true }), hyper.off],
  ['CORE-GOV-THINK', kwargs({ skip_reasoning: true, force_reasoning: true }), hyper.on],
  ['CORE-GOV-THINK', { reasoning_effort: 'none' }, hyper.off],
  ['CORE-GOV', {}, hyper.off],
  ['CORE-GOV', kwargs({ force_reasoning: true }), hyper.on],
  ['CORE-GOV', { reasoning_effort: 'high' }, hyper.on],
  // The keys of an id reach a model of another family in that family's own words.
  ['CORE-GOV-THINK-V1-32B', {}, exa.on],
  ['CORE-GOV-THINK-V1-32B', kwargs({ thinking: false }), exa.off],
  ['CORE-GOV-THINK-V1-32B', kwargs({ skip_reasoning: true }), exa.off],
  ['LLM42-Open4', kwargs({ enable_thinking: true }), hyper.on],
  ['LLM42-Open4', kwargs({ enable_thinking: false }), hyper.off],
  ['K-Large-236B', {}, exa.on],
  ['K-Large-236B', kwargs({ enable_thinking: true }), exa.on],
  ['K-Large-236B', kwargs({ enable_thinking: false }), exa.off],
  ['K-Large-236B', { reasoning_effort: 'none' }, exa.off],
  ['vendor/gpt-oss-120b', kwargs({ reasoning_effort: 'low' }), thinks('조금', '낮음')],
  ['vendor/gpt-oss-120b', { reasoning_effort: 'medium' }, thinks('보통', '중간')],
  ['vendor/gpt-oss-120b', kwargs({ reasoning_effort: 'high' }), thinks('많이', '높음')],
  // It cannot be told not to think: it thinks least, and that is not shown.
  ['vendor/gpt-oss-120b', { reasoning_effort: 'none' }, answers('낮음')],
  // The files themselves, under the names of the models.
  ['exa', {}, exa.on],
  ['exa', kwargs({ enable_thinking: false }), exa.off],
  ['hyper', kwargs({ enable_thinking: false }), hyper.off],
  ['oss', kwargs({ reasoning_effort: 'high' }), thinks('많이', '높음')],
];

describe('the reasoning of an id that a local model serves', () => {
  test.each(cases)('%s, asked with %j', async (model, fields, wanted) => {
    covers('local.reasoning', 'local.bound');
    const body = { model, messages: [{ role: 'user', content: '질문' }], ...fields };
    const { choices } = jsonOf(await chat(service, body));
    const message = choices[0]?.message as Record<string, unknown> | undefined;
    const said = {
      thought: message?.['reasoning'] ?? message?.['reasoning_content'] ?? null,
      answer: message?.['content'],
    };
    expect(said).toEqual(wanted);
    const streamed = join((await chatStream(service, body)).chunks) as unknown as Record<string, unknown>;
    const thought = [streamed['reasoning'], streamed['reasoning_content']].find((text) => text) ?? null;
    expect({ thought, answer: streamed['content'] }).toEqual(wanted);
  });

  test('takes the keys of the id, not those of the model behind it', async () => {
    covers('local.bound');
    const messages = [{ role: 'user', content: '질문' }];
    for (const [model, key] of [
      ['CORE-GOV-THINK', 'enable_thinking'],
      ['K-Large-236B', 'force_reasoning'],
    ] as const)
      expectError(await chat(service, { model, messages, ...kwargs({ [key]: true }) }), 400, {
        param: `chat_template_kwargs.${key}`,
      });
  });
});
