import { ConversationParameters } from '@ai-studio/contract/console/conversations.ts';
import type { ConversationCollection } from '@ai-studio/contract/console/conversation-parts.ts';

/** What the next answers of a conversation are made with, beside the words. */
export interface AnswerSettings {
  readonly model: string;
  /** Ids of models that answer side by side with it. */
  readonly modelsBeside: readonly string[];
  readonly collections: readonly ConversationCollection[];
  /** Null where the model is told nothing. */
  readonly systemPrompt: string | null;
  readonly parameters: ConversationParameters;
}

/** Settings of a conversation; null until it is here. */
export function settingsOf({
  model,
  modelsBeside,
  collections,
  systemPrompt,
  parameters,
}: { readonly [K in keyof AnswerSettings]: AnswerSettings[K] | undefined }): AnswerSettings | null {
  if (model === undefined || modelsBeside === undefined || collections === undefined) return null;
  return { model, modelsBeside, collections, systemPrompt: systemPrompt ?? null, parameters: parameters ?? {} };
}

/** Settings as the service takes them: only what changes. */
export const settingsBody = ({
  model,
  modelsBeside,
  collections,
  systemPrompt,
  parameters,
}: Partial<AnswerSettings>) => ({
  ...(model === undefined ? {} : { model }),
  ...(modelsBeside === undefined ? {} : { models_beside: [...modelsBeside] }),
  ...(collections === undefined ? {} : { collections: collections.map(({ id }) => id) }),
  ...(systemPrompt === undefined ? {} : { system_prompt: systemPrompt }),
  ...(parameters === undefined ? {} : { parameters }),
});

const isText = (value: unknown): value is string => typeof value === 'string';

/** Settings but collections, whose names a draft keeps itself. */
export type StoredSettings = Partial<Omit<AnswerSettings, 'collections'>>;

/** Settings that a draft of this browser holds for a conversation that is not there yet, as far as they can be read. */
export function storedSettings(stored: unknown): StoredSettings {
  const { model, modelsBeside, systemPrompt, parameters } = (stored ?? {}) as Partial<Record<string, unknown>>;
  const known = ConversationParameters.safeParse(parameters);
  return {
    ...(isText(model) ? { model } : {}),
    ...(Array.isArray(modelsBeside) ? { modelsBeside: modelsBeside.filter(isText) } : {}),
    ...(isText(systemPrompt) ? { systemPrompt } : {}),
    ...(known.success ? { parameters: known.data } : {}),
  };
}

/** Whether models are told how to answer. */
export const tellsModels = ({ systemPrompt, parameters }: AnswerSettings): boolean =>
  (systemPrompt ?? '') !== '' || Object.values(parameters).some((value) => value != null);
