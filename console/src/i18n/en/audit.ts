import type { audit as korean } from '../ko/audit.ts';
import type { Translated } from '../translated.ts';

export const audit: Translated<typeof korean> = {
  title: 'Audit log',
};
