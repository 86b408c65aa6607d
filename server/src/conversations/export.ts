import type { Conversation } from '@ai-studio/contract/console/conversations.ts';
import type { TextByLanguage } from '@ai-studio/contract/console/ai-texts.ts';
import type { Language } from '@ai-studio/contract/console/session.ts';

const labelsByLanguage = {
  en: {
    untitled: 'Conversation',
    times: 'Times are those of',
    generated: 'Answers:',
    system: 'System prompt',
    question: 'Question',
    answer: 'Answer',
    thinking: 'Thinking',
    files: 'Files',
    sources: 'Sources',
    page: (page: number) => `p. ${page}`,
    failed: 'The answer failed.',
    stopped: 'Stopped.',
    instead: (asked: string) => `in place of ${asked}`,
  },
  ko: {
    untitled: '대화',
    times: '표시된 시각의 시간대:',
    generated: '답변:',
    system: '시스템 프롬프트',
    question: '질문',
    answer: '답변',
    thinking: '생각',
    files: '파일',
    sources: '출처',
    page: (page: number) => `${page}쪽`,
    failed: '답변하지 못했습니다.',
    stopped: '멈췄습니다.',
    instead: (asked: string) => `${asked} 대신`,
  },
} as const;

const quoted = (text: string) =>
  text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** Who reads it: their language, and an IANA name of a time zone, which the text says; and the mark of the tenant on what an AI has made. */
interface Reader {
  readonly language: Language;
  readonly timeZone: string;
  readonly mark: TextByLanguage;
}

function validTimeZone(timeZone: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone }).format();
    return timeZone;
  } catch {
    return 'UTC';
  }
}

/** Writes moments as people of a place do. */
function createClock({ language, timeZone: given }: Omit<Reader, 'mark'>) {
  const timeZone = validTimeZone(given);
  const form = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone });
  const offset = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return {
    /** Some languages put other spaces there than one types. */
    at: (time: string) => form.format(new Date(time)).replaceAll(/\s/g, ' '),
    /** `Asia/Seoul (GMT+09:00)`, as it was at that moment. */
    zoneAt: (time: string) => {
      const part = offset.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName');
      return timeZone === 'UTC' ? timeZone : `${timeZone} (${part?.value ?? ''})`;
    },
  };
}

/** A conversation as Markdown for people, with their times; thinking is quoted. An unknown time zone reads as UTC. */
export function toMarkdown({ title, system_prompt, created_at, messages }: Conversation, reader: Reader): string {
  const labels = labelsByLanguage[reader.language];
  const clock = createClock(reader);
  const parts = [
    `# ${title.replaceAll(/\s+/g, ' ') || labels.untitled}`,
    clock.at(created_at),
    `${labels.times} ${clock.zoneAt(created_at)}`,
    `${labels.generated} ${reader.mark[reader.language]}`,
  ];
  if (system_prompt !== null) parts.push(`## ${labels.system}`, system_prompt);
  for (const {
    role,
    content,
    reasoning,
    model,
    fallback,
    state,
    error,
    files,
    citations,
    created_at: at,
  } of messages) {
    const by = [...(model === null ? [] : [model]), ...(fallback ? [labels.instead(fallback.asked)] : [])].join(', ');
    parts.push(role === 'user' ? `## ${labels.question}` : `## ${labels.answer}${by === '' ? '' : ` (${by})`}`);
    if (role === 'user') parts.push(`*${clock.at(at)}*`);
    if (reasoning !== null) parts.push(quoted(`${labels.thinking}: ${reasoning}`));
    if (files.length > 0) parts.push(`${labels.files}: ${files.map(({ name }) => name).join(', ')}`);
    parts.push(content);
    const sources = citations.map(({ number, document_name: name, page }) =>
      [`[${number}] ${name}`, ...(page === null ? [] : [labels.page(page)])].join(', '),
    );
    if (sources.length > 0) parts.push(`${labels.sources}:\n\n${sources.map((line) => `- ${line}`).join('\n')}`);
    if (state === 'failed' || state === 'stopped') parts.push(`*${error ?? labels[state]}*`);
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** A conversation as JSON for programs; `version` counts changes of the form. */
export const toJsonExport = ({ snippet: _found, ...conversation }: Conversation, mark: TextByLanguage): string =>
  `${JSON.stringify(
    {
      format: 'ai-studio-conversation',
      version: 1,
      answers: { generated_by_ai: true, mark: { ko: mark.ko, en: mark.en } },
      conversation,
    },
    null,
    2,
  )}\n`;
