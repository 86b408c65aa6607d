import type { TextByLanguage } from '@ai-studio/contract/console/ai-texts.ts';
import type { Conversation } from '@ai-studio/contract/console/conversations.ts';
import { talkJson } from '../kernel/talk-json.ts';
import { insteadOf, talkMarkdown, type TalkReader } from '../kernel/talk-markdown.ts';

/** A conversation as Markdown for people. */
export const toMarkdown = (
  { title, system_prompt: systemPrompt, created_at: createdAt, messages }: Conversation,
  reader: TalkReader,
): string =>
  talkMarkdown(
    {
      title,
      createdAt,
      systemPrompt,
      turns: messages.map(
        ({ role, content, reasoning, model, fallback, state, error, files, citations, ...message }) => ({
          role: role === 'user' ? 'user' : 'assistant',
          content,
          by: [...(model === null ? [] : [model]), ...(fallback ? [insteadOf(fallback.asked, reader)] : [])].join(', '),
          reasoning,
          files: files.map(({ name }) => name),
          sources: citations.map(({ number, document_name: name, page }) => ({ number, name, page })),
          ended: state === 'failed' || state === 'stopped' ? { state, why: error } : null,
          at: message.created_at,
        }),
      ),
    },
    reader,
  );

/** A conversation as JSON for programs. */
export const toJsonExport = ({ snippet: _found, ...conversation }: Conversation, mark: TextByLanguage): string =>
  talkJson('ai-studio-conversation', mark, { conversation });
