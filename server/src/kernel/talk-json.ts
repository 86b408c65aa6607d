import type { TextByLanguage } from '@ai-studio/contract/console/ai-texts.ts';

/** A talk as JSON for programs, in a form of that name, whose changes `version` counts; with the mark of the tenant on what an AI has made. */
export const talkJson = (format: string, mark: TextByLanguage, talk: object): string =>
  `${JSON.stringify(
    { format, version: 1, answers: { generated_by_ai: true, mark: { ko: mark.ko, en: mark.en } }, ...talk },
    null,
    2,
  )}\n`;
