import type { models as korean } from '../ko/models.ts';
import type { Translated } from '../translated.ts';

export const models: Translated<typeof korean> = {
  title: 'Models',
};
