import type { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { invalidRequest } from '../../kernel/errors.ts';
import type { CatalogueModel } from '../../models/catalogue.ts';
import { type EngineEdit, type TemplateKey, languageTag } from '../../models/profile.ts';

/** What the template keys and the reasoning switch of a request come to. */
export interface TemplatePlan {
  /** Whether the model should think; null where the model has no say in it. */
  readonly thinking: boolean | null;
  /** Top-level fields for the engine, `chat_template_kwargs` among them. */
  readonly body: Record<string, unknown>;
  /** Lines for a system message before all others. */
  readonly system: readonly string[];
}

const typeNames = { boolean: 'true or false', string: 'a string', integer: 'an integer', number: 'a number' } as const;

function checkValue(name: string, key: TemplateKey, value: unknown): void {
  const param = `chat_template_kwargs.${name}`;
  const right = key.type === 'integer' ? Number.isInteger(value) : typeof value === key.type;
  if (!right) throw invalidRequest(`${param} must be ${typeNames[key.type]}`, param);
  if (key.enum && !key.enum.includes(value as string)) {
    throw invalidRequest(`${param} must be one of ${key.enum.map((v) => JSON.stringify(v)).join(', ')}`, param);
  }
  if (key.format === 'language' && !languageTag.test(value as string)) {
    throw invalidRequest(`${param} must be a language tag such as ko or en-US`, param);
  }
}

function fill(template: unknown, value: unknown): unknown {
  if (template === '{value}') return value;
  if (Array.isArray(template)) return template.map((item) => fill(item, value));
  if (typeof template === 'object' && template !== null) {
    return Object.fromEntries(Object.entries(template).map(([k, v]) => [k, fill(v, value)]));
  }
  return template;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class Edits {
  readonly body: Record<string, unknown> = {};
  readonly system: string[] = [];

  set(field: string, value: unknown): void {
    const before = this.body[field];
    this.body[field] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }

  add(edit: EngineEdit | undefined, value: unknown): void {
    for (const [field, template] of Object.entries(edit?.body ?? {})) this.set(field, fill(template, value));
    if (edit?.system !== undefined) this.system.push(edit.system.replaceAll('{value}', String(value)));
  }
}

/** What one key's value does to reasoning, if anything. */
function effectOf(key: TemplateKey, value: unknown): 'on' | 'off' | undefined {
  if (value === true) return key.when_true;
  if (value === false) return key.when_false;
  return undefined;
}

function addKey(edits: Edits, name: string, key: TemplateKey, value: unknown): void {
  if (key.send) edits.add(key.send, value);
  else edits.set('chat_template_kwargs', { [name]: value });
}

/** The nearest level that a model with three levels has. */
const levels: Record<string, string> = {
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
};

/** Says `reasoning_effort` in the model's own terms: its key of that name, or the key that turns reasoning on or off. */
function addEffort(edits: Edits, model: CatalogueModel, effort: string, wanted: 'on' | 'off'): void {
  const keys = Object.entries(model.template_keys);
  const own = model.template_keys['reasoning_effort'];
  if (own)
    return addKey(edits, 'reasoning_effort', own, own.enum?.includes(effort) === false ? levels[effort] : effort);
  const whenTrue = keys.find(([, key]) => key.when_true === wanted);
  if (whenTrue) return addKey(edits, whenTrue[0], whenTrue[1], true);
  const whenFalse = keys.find(([, key]) => key.when_false === wanted);
  if (whenFalse) addKey(edits, whenFalse[0], whenFalse[1], false);
}

function planDefault({ reasoning }: CatalogueModel): TemplatePlan {
  if (reasoning.default === 'none') return { thinking: null, body: {}, system: NO_LINES };
  const on = reasoning.default === 'on';
  const edit = reasoning.switch?.[reasoning.default];
  if (!edit) return { thinking: on, body: {}, system: NO_LINES };
  const edits = new Edits();
  edits.add(edit, on);
  return { thinking: on, body: edits.body, system: edits.system };
}

const NO_LINES: readonly string[] = [];

/**
 * Checks `chat_template_kwargs` against the model's own keys and decides whether it thinks.
 * Reasoning asked for wins over reasoning refused (interface 2.2: force_reasoning takes effect when both are true).
 */
export function planTemplate(
  request: Pick<ChatRequest, 'chat_template_kwargs' | 'reasoning_effort'>,
  model: CatalogueModel,
): TemplatePlan {
  if (request.chat_template_kwargs == null && request.reasoning_effort == null) return planDefault(model);
  const given = request.chat_template_kwargs ?? {};
  const effort = request.reasoning_effort ?? null;
  const { reasoning, template_keys: keys } = model;
  let wanted: 'on' | 'off' | undefined;
  for (const [name, value] of Object.entries(given)) {
    const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
    if (!key) {
      const known = Object.keys(keys);
      throw invalidRequest(
        `chat_template_kwargs.${name} is not a key of the model ${model.id}, which takes ${known.length > 0 ? known.join(', ') : 'none'}`,
        `chat_template_kwargs.${name}`,
      );
    }
    checkValue(name, key, value);
    const effect = effectOf(key, value);
    if (effect === 'on' || (effect === 'off' && wanted === undefined)) wanted = effect;
  }
  const edits = new Edits();
  if (wanted === undefined && effort !== null && reasoning.default !== 'none') {
    wanted = effort === 'none' ? 'off' : 'on';
    if (!reasoning.switch) addEffort(edits, model, effort, wanted);
  }
  for (const [name, value] of Object.entries(given)) {
    const key = keys[name];
    if (!key) continue;
    const effect = effectOf(key, value);
    // A key that lost against another, or that the engine's own switch stands for, is not sent.
    if (effect !== undefined && (effect !== wanted || reasoning.switch)) continue;
    addKey(edits, name, key, value);
  }
  const state = wanted ?? (reasoning.default === 'none' ? undefined : reasoning.default);
  if (state !== undefined) edits.add(reasoning.switch?.[state], state === 'on');
  return {
    thinking: state === undefined ? null : state === 'on',
    body: edits.body,
    system: edits.system,
  };
}

/** English names of languages; a tag that has none stands for itself. */
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

function nameOf(tag: string): string {
  try {
    const name = languageNames.of(tag);
    return name === undefined || name === tag ? tag : `${name} (${tag})`;
  } catch {
    // Right in its shape, and still no tag.
    return tag;
  }
}

/** A plan for engines without the model's own template: its instruction in place of the keys that it names. Null for models without one. */
export function planInstruction(
  { body, system, thinking }: TemplatePlan,
  given: Readonly<Record<string, unknown>>,
  { instructions, template_keys: keys }: CatalogueModel,
): TemplatePlan | null {
  const chosen = instructions.find((instruction) => instruction.keys.every((key) => given[key] != null));
  if (!chosen) return null;
  const line = chosen.keys.reduce((text, name) => {
    const value = String(given[name]);
    return text.replaceAll(`{${name}}`, () => (keys[name]?.format === 'language' ? nameOf(value) : value));
  }, chosen.system);
  const said = new Set(instructions.flatMap((instruction) => instruction.keys));
  const sent = Object.entries(isObject(body['chat_template_kwargs']) ? body['chat_template_kwargs'] : {});
  const others = sent.filter(([name]) => !said.has(name));
  const { chat_template_kwargs: _, ...rest } = body;
  return {
    thinking,
    body: others.length > 0 ? { ...rest, chat_template_kwargs: Object.fromEntries(others) } : rest,
    system: [...system, line],
  };
}
