import type { keys as korean } from '../ko/keys.ts';
import type { Translated } from '../translated.ts';

export const keys: Translated<typeof korean> = {
  title: 'API keys',
};
