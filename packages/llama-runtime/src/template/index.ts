import { Script, createContext } from 'node:vm';
import { Template } from '@huggingface/jinja';
import { type Family, familyOf } from '@ai-studio/reply-format/parsers/index.ts';
import { RequestError } from '../request-error.ts';
import { RENDER_LIMITS, RenderLimitExceeded, renderBounded } from './bounded.ts';
import { type Span, createControlTexts, createPromptGuard } from './control-texts.ts';
import { type TemplateCapabilities, type TemplateMessage, templateMessages } from './messages.ts';

export { type ControlTexts, type Span, createControlTexts } from './control-texts.ts';

export interface RenderOptions {
  readonly messages: readonly TemplateMessage[];
  readonly tools: readonly Readonly<Record<string, unknown>>[] | null;
  /** Further variables: the request's `chat_template_kwargs`. */
  readonly kwargs: Readonly<Record<string, unknown>>;
  /** Whether the model should think; null leaves it to the template. */
  readonly thinking: boolean | null;
}

export interface Rendered {
  readonly prompt: string;
  /** Where names of control tokens are a part of what somebody wrote, and no such tokens. In order. */
  readonly literals: readonly Span[];
  /** The prompt ends inside an open thinking block. */
  readonly thinkingOpen: boolean;
  /** Texts that end a reply, beyond the vocabulary's own end tokens. */
  readonly stops: readonly string[];
}

/** A model's way to write a conversation. */
export interface ChatTemplate {
  readonly family: Family;
  /** Whether it can tell the model of tools. */
  readonly tools: boolean;
  /** `optional`: the request decides. */
  readonly thinking: 'none' | 'optional' | 'always';
  /** Throws RequestError. */
  render(options: RenderOptions): Rendered;
}

export interface TemplateOptions {
  /** Jinja source of the file; null where it has none. */
  readonly source: string | null;
  /** A second source for conversations with tools. */
  readonly toolSource?: string | null;
  readonly bosToken: string;
  readonly eosToken: string;
  /** Texts of the vocabulary's control tokens: in messages, tools and variables they are only text. */
  readonly controls?: readonly string[];
  /** Milliseconds that one prompt may take; five seconds where it is left out. */
  readonly timeoutMs?: number;
}

/** For files without a template: ChatML, which most models have seen. */
const CHATML = `{%- for message in messages -%}
<|im_start|>{{ message.role }}
{{ message.content }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}<|im_start|>assistant
{% endif -%}`;

/** Milliseconds for one prompt. A template that takes longer loops; it would hold up every request of the model. */
const RENDER_TIMEOUT_MS = 5000;

const refused = (message: string, param: string, cause?: unknown) => new RequestError(param, message, { cause });

function compile(source: string): Template {
  try {
    return new Template(source);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refused(`The chat template of this model cannot be read: ${reason}`, 'model', cause);
  }
}

const bounded = new Script('work()');

/** Runs work and ends it when it takes too long. Only V8's own limit ends work that never yields. */
function createLimit(milliseconds: number): (work: () => string) => string {
  const scope = { work: () => '' };
  const context = createContext(scope);
  return (work) => {
    scope.work = work;
    return bounded.runInContext(context, { timeout: milliseconds }) as string;
  };
}

/** The error is of the context's own realm, so it is no `Error` here. */
const isTimeout = (error: unknown) =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

const detectCapabilities = (source: string): TemplateCapabilities => ({
  // Some templates give the arguments a name of their own first, or write the function as a whole.
  argumentsAsObject:
    /arg\w*['"]?\]?\s*\|\s*(tojson|items|dictsort)|arg\w*['"]?\]?\.items|arg\w*['"]?\]? is (mapping|not string|string)|(function|call)['"]?\]?\s*\|\s*tojson/.test(
      source,
    ),
  systemRole: !/System role not supported|system role is not supported/i.test(source),
  alternates: /roles? must alternate/i.test(source),
  toolResponses: /(?:\.|\[\s*['"]|get\(\s*['"])tool_responses\b/.test(source),
  shortIds: /\bid['"]?\]?\s*\|\s*length\s*(!=|==)\s*9/.test(source),
});

/** A template that never looks at the tools cannot tell the model of them. */
const supportsTools = (source: string) => /\btools\b/.test(source);

/** Words of families that switch thinking off by a variable of their own. Sources: Seed-OSS and Solar Open templates. */
const offSwitches: readonly { readonly fits: RegExp; readonly variables: Readonly<Record<string, unknown>> }[] = [
  { fits: /\bthinking_budget\s*==\s*0/, variables: { thinking_budget: 0 } },
  { fits: /\breasoning_effort\s+in\s*\[[^\]]*['"]minimal['"]/, variables: { reasoning_effort: 'minimal' } },
];
const offSwitchOf = (source: string) => offSwitches.find(({ fits }) => fits.test(source))?.variables ?? null;

function thinkingOf(source: string, { tools, think }: Family): ChatTemplate['thinking'] {
  if (offSwitchOf(source) !== null) return 'optional';
  if (/\benable_thinking\b|\b(?:force|skip)_reasoning\b|\bthinking\s+is\s|\bif\s+(not\s+)?thinking\b/.test(source))
    return 'optional';
  if (tools === 'harmony') return 'always';
  return source.includes(think.open.trim()) || source.includes(think.close) ? 'always' : 'none';
}

class JinjaTemplate implements ChatTemplate {
  readonly family: Family;
  readonly tools: boolean;
  readonly thinking: ChatTemplate['thinking'];
  readonly #options: TemplateOptions;
  readonly #plain: { readonly template: Template; readonly capabilities: TemplateCapabilities };
  readonly #forTools: { readonly template: Template; readonly capabilities: TemplateCapabilities };
  readonly #opensThinking: RegExp;
  readonly #withinLimit: ReturnType<typeof createLimit>;
  readonly #controls: ReturnType<typeof createControlTexts>;
  /** What switches thinking off beside the words that most templates know. */
  readonly #off: Readonly<Record<string, unknown>>;

  constructor(options: TemplateOptions) {
    const { source, toolSource = null } = options;
    const plain = source ?? CHATML;
    this.#options = options;
    this.#controls = createControlTexts(options.controls ?? []);
    this.#withinLimit = createLimit(options.timeoutMs ?? RENDER_TIMEOUT_MS);
    this.#plain = { template: compile(plain), capabilities: detectCapabilities(plain) };
    this.#forTools =
      toolSource === null
        ? this.#plain
        : { template: compile(toolSource), capabilities: detectCapabilities(toolSource) };
    this.family = familyOf(`${plain}${toolSource ?? ''}`);
    this.tools = supportsTools(toolSource ?? plain);
    this.thinking = thinkingOf(plain, this.family);
    this.#off = offSwitchOf(plain) ?? {};
    this.#opensThinking = new RegExp(`${this.family.think.open.replace(/[[\]|]/g, '\\$&')}\\s*$`);
  }

  render({ messages, tools, kwargs, thinking }: RenderOptions): Rendered {
    if (tools !== null && !this.tools)
      throw refused('The chat template of this model knows no tools; leave tools out or use another model', 'tools');
    const { template, capabilities } = tools === null ? this.#plain : this.#forTools;
    const { bosToken, eosToken } = this.#options;
    const guard = createPromptGuard(this.#controls);
    const variables = {
      tools: guard.protect(tools),
      documents: null,
      add_generation_prompt: true,
      bos_token: bosToken,
      eos_token: eosToken,
      ...(thinking === null
        ? {}
        : { enable_thinking: thinking, thinking, [thinking ? 'force_reasoning' : 'skip_reasoning']: true }),
      ...(thinking === false ? this.#off : {}),
      ...guard.protect(kwargs),
      messages: guard.protect(templateMessages(messages, capabilities)),
    };
    const { prompt, literals } = guard.reveal(this.#run(template, variables));
    return {
      prompt,
      literals,
      thinkingOpen: this.#opensThinking.test(prompt.slice(-64)),
      stops: this.#options.source === null ? ['<|im_end|>', '<|im_start|>'] : [],
    };
  }

  #run(template: Template, variables: Record<string, unknown>): string {
    try {
      return this.#withinLimit(() => renderBounded(template, variables, RENDER_LIMITS));
    } catch (cause) {
      if (isTimeout(cause)) throw refused('The chat template of this model takes too long', 'messages', cause);
      // V8 itself ends texts that grow beyond half a gigabyte.
      if (cause instanceof RenderLimitExceeded || cause instanceof RangeError)
        throw refused(`The chat template of this model cannot be used: ${cause.message}`, 'messages', cause);
      // Templates refuse what they cannot write, such as two messages of one role in a row.
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw refused(`The chat template of this model refuses the messages: ${reason.slice(0, 300)}`, 'messages', cause);
    }
  }
}

/** Reads the templates of a model file. Throws RequestError for one that is no Jinja. */
export const createTemplate = (options: TemplateOptions): ChatTemplate => new JinjaTemplate(options);
