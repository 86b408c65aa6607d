import type { chat as korean } from '../ko/chat.ts';
import type { Translated } from '../translated.ts';

export const chat: Translated<typeof korean> = {
  title: 'Chat',
};
