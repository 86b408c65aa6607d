import 'i18next';
import type { ko } from './ko/index.ts';
import type { LaterWords } from './later.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: typeof ko & LaterWords;
    returnNull: false;
  }
}
