import { CompletionRequest } from '@ai-studio/contract/completions.ts';
import { checkJsonValues } from '../../kernel/json-values.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import { renameExtras, unknownFields } from './body.ts';
import { compileCheck, parseJson } from './check.ts';
import { type AllowedModels, type PreparedChat, type PrepareOptions, tooLarge } from './prepare.ts';
import type { CompleteOptions } from '../complete.ts';

/** A text completion as the chat that answers it. */
export interface PreparedText {
  readonly chat: PreparedChat;
  readonly text: NonNullable<CompleteOptions['text']>;
}

const known: ReadonlySet<string> = new Set(Object.keys(CompletionRequest.shape));

/** POST /v1/completions for old clients: the prompt is a user message, the answer is the text. */
export function createPrepareText(
  prepare: (bytes: Buffer, allowed: AllowedModels, instead?: string) => PreparedChat,
  { maxJsonBytes }: Pick<PrepareOptions, 'maxJsonBytes'>,
) {
  const check = compileCheck(CompletionRequest);
  return (bytes: Buffer, allowed: AllowedModels, instead?: string): PreparedText => {
    if (bytes.length > maxJsonBytes) throw tooLarge(maxJsonBytes);
    const text = bytes.toString('utf8');
    checkJsonValues(text);
    const parsed = parseJson(text);
    const request = check.passes(parsed) ? (parsed as CompletionRequest) : check.explain(parsed);
    const { prompt, echo, ...rest } = request;
    const content = typeof prompt === 'string' ? prompt : prompt.join('\n');
    const body = Buffer.from(JSON.stringify({ ...rest, messages: [{ role: 'user', content }] }));
    const chat = prepare(body, allowed, instead);
    return {
      chat: { ...chat, extras: renameExtras(chat.extras, unknownFields(parsed as object, known)) },
      text: { echo: echo === true ? toJsonText(content) : '' },
    };
  };
}
