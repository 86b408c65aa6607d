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
export interface TalkReader {
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
function createClock({ language, timeZone: given }: Omit<TalkReader, 'mark'>) {
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

/** A passage that an answer cites. */
interface TalkSource {
  readonly number: number;
  readonly name: string;
  /** From 1; null where it has none. */
  readonly page: number | null;
}

/** A question, or an answer to it. */
export interface TalkTurn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** Who answers; empty where that is not told. */
  readonly by: string;
  readonly reasoning: string | null;
  readonly files: readonly string[];
  readonly sources: readonly TalkSource[];
  /** How an answer ended that did not come to its end, and why, where that is known. */
  readonly ended: { readonly state: 'failed' | 'stopped'; readonly why: string | null } | null;
  /** ISO 8601. */
  readonly at: string;
}

interface Talk {
  /** May be empty. */
  readonly title: string;
  readonly createdAt: string;
  readonly systemPrompt: string | null;
  readonly turns: readonly TalkTurn[];
}

/** Says that a model answers in place of the one that was asked. */
export const insteadOf = (asked: string, { language }: Pick<TalkReader, 'language'>): string =>
  labelsByLanguage[language].instead(asked);

/** A talk with an AI as Markdown for people, with their times and the mark of AI; thinking is quoted. An unknown time zone reads as UTC. */
export function talkMarkdown({ title, createdAt, systemPrompt, turns }: Talk, reader: TalkReader): string {
  const labels = labelsByLanguage[reader.language];
  const clock = createClock(reader);
  const parts = [
    `# ${title.replaceAll(/\s+/g, ' ') || labels.untitled}`,
    clock.at(createdAt),
    `${labels.times} ${clock.zoneAt(createdAt)}`,
    `${labels.generated} ${reader.mark[reader.language]}`,
  ];
  if (systemPrompt !== null) parts.push(`## ${labels.system}`, systemPrompt);
  for (const { role, content, by, reasoning, files, sources, ended, at } of turns) {
    parts.push(role === 'user' ? `## ${labels.question}` : `## ${labels.answer}${by === '' ? '' : ` (${by})`}`);
    if (role === 'user') parts.push(`*${clock.at(at)}*`);
    if (reasoning !== null) parts.push(quoted(`${labels.thinking}: ${reasoning}`));
    if (files.length > 0) parts.push(`${labels.files}: ${files.join(', ')}`);
    parts.push(content);
    const lines = sources.map(({ number, name, page }) =>
      [`[${number}] ${name}`, ...(page === null ? [] : [labels.page(page)])].join(', '),
    );
    if (lines.length > 0) parts.push(`${labels.sources}:\n\n${lines.map((line) => `- ${line}`).join('\n')}`);
    if (ended !== null) parts.push(`*${ended.why ?? labels[ended.state]}*`);
  }
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}
