import type { Conversation } from '@ai-studio/contract/console/conversations.ts';
import type { Language } from '@ai-studio/contract/console/session.ts';

const words = {
  en: {
    untitled: 'Conversation',
    system: 'System prompt',
    question: 'Question',
    answer: 'Answer',
    thinking: 'Thinking',
    failed: 'The answer failed.',
    stopped: 'Stopped.',
  },
  ko: {
    untitled: '대화',
    system: '시스템 프롬프트',
    question: '질문',
    answer: '답변',
    thinking: '생각',
    failed: '답변하지 못했습니다.',
    stopped: '멈췄습니다.',
  },
} as const;

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** A conversation as Markdown for people; thinking is quoted. */
export function toMarkdown({ title, system_prompt, created_at, messages }: Conversation, language: Language): string {
  const say = words[language];
  const parts = [`# ${title.replaceAll(/\s+/g, ' ') || say.untitled}`, created_at];
  if (system_prompt !== null) parts.push(`## ${say.system}`, system_prompt);
  for (const { role, content, reasoning, model, state, error } of messages) {
    parts.push(role === 'user' ? `## ${say.question}` : `## ${say.answer}${model === null ? '' : ` (${model})`}`);
    if (reasoning !== null) parts.push(quoted(`${say.thinking}: ${reasoning}`));
    parts.push(content);
    if (state === 'failed' || state === 'stopped') parts.push(`*${error ?? say[state]}*`);
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A conversation as JSON for programs; `version` counts changes of the form. */
export const toJsonExport = ({ snippet: _found, ...conversation }: Conversation): string =>
  `${JSON.stringify({ format: 'ai-studio-conversation', version: 1, conversation }, null, 2)}\n`;
