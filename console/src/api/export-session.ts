import { apiUrl } from './client.ts';

/** Address of a session with an agent as Markdown, in a language and the time zone of the browser; `root` is that of the agent. */
export const sessionExportAddress = (root: string, session: number, language: string): string =>
  apiUrl(`${root}/sessions/${session}/export`, {
    language: language === 'ko' ? 'ko' : 'en',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
