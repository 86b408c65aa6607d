import 'i18next';
import type { ko } from './ko/index.ts';
import type { LateMessages } from './late.ts';
import type { LazyMessages } from './lazy.ts';
import type { Slots } from './slots.d.ts';

/** TypeScript knows the keys of a JSON file, not its texts: what stands in `{{…}}` comes from {@link Slots}. */
type WithSlots<Words, S> = {
  readonly [K in keyof Words]: K extends keyof S ? (S[K] extends string ? S[K] : WithSlots<Words[K], S[K]>) : Words[K];
};

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common';
    resources: WithSlots<typeof ko & LazyMessages & LateMessages, Slots>;
    returnNull: false;
  }
}
