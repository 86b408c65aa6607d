import type { tenants as korean } from '../ko/tenants.ts';
import type { Translated } from '../translated.ts';

export const tenants: Translated<typeof korean> = {
  title: 'Tenants',
};
