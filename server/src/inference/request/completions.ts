import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { CompletionRequest } from '@ai-studio/contract/completions.ts';
import { invalidRequest, StudioError } from '../../kernel/errors.ts';
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

/** Texts that one request may ask for: each is a call of the engine. */
const MAX_CHOICES = 128;

/** One chat for all prompts: their choices stand one after the other. */
const joinPrompts = (chats: readonly PreparedChat[], first: PreparedChat): PreparedChat => ({
  ...first,
  choices: first.choices * chats.length,
  prompts: chats.map(({ body, instructedBody }) => ({ body, instructedBody })),
  estimatedPromptTokens: chats.reduce((sum, chat) => sum + chat.estimatedPromptTokens, 0),
  // What is left of the context is that of the longest.
  promptEstimate: chats.reduce(
    (longest, { promptEstimate }) => (promptEstimate.bytes > longest.bytes ? promptEstimate : longest),
    first.promptEstimate,
  ),
});

/** A refusal of one of several prompts. */
const atPrompt = (error: unknown, at: number): unknown =>
  error instanceof StudioError && error.param?.startsWith('messages') === true
    ? new StudioError(error.code, `prompt[${at}]: ${error.message}`, {
        param: `prompt[${at}]`,
        cause: error,
        ...(error.reason === null ? {} : { reason: error.reason }),
      })
    : error;

const known: ReadonlySet<string> = new Set(Object.keys(CompletionRequest.shape));
/** Fields of chats that text completions lack: they are left out, as the chat would heed them, and are named as ignored. */
const ofChatsAlone = Object.keys(ChatRequest.shape).filter((name) => !known.has(name));

function withoutChatFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const left = { ...fields };
  for (const name of ofChatsAlone) delete left[name];
  return left;
}

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
    const { prompt, echo, ...fields } = request;
    const rest = withoutChatFields(fields);
    const texts = [prompt].flat();
    const prepareOne = (content: string, at: number): PreparedChat => {
      try {
        const body = Buffer.from(JSON.stringify({ ...rest, messages: [{ role: 'user', content }] }));
        return prepare(body, allowed, instead);
      } catch (error) {
        throw texts.length === 1 ? error : atPrompt(error, at);
      }
    };
    const chats = texts.map(prepareOne);
    const [first, ...others] = chats;
    if (first === undefined) throw invalidRequest('prompt must hold at least 1 text', 'prompt');
    const { choices } = first;
    if (choices * texts.length > MAX_CHOICES)
      throw invalidRequest(`prompt times n must be at most ${MAX_CHOICES} texts`, others.length > 0 ? 'prompt' : 'n');
    const echoes = texts.flatMap((content) => Array.from({ length: choices }, () => toJsonText(content)));
    const chat = others.length === 0 ? first : joinPrompts(chats, first);
    return {
      chat: { ...chat, extras: renameExtras(chat.extras, unknownFields(parsed as object, known)) },
      text: { echoes: echo === true ? echoes : [] },
    };
  };
}
