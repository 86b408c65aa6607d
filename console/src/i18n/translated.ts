/** Plural forms of English for each key that Korean has in its only form, `_other`. */
type Plural<K> = K extends `${infer Base}_other` ? `${Base}_one` : never;

/** What another language must have: the same keys with words of its own, and the plurals that Korean does without. */
export type Translated<T> = T extends string
  ? string
  : { readonly [K in keyof T]: Translated<T[K]> } & { readonly [K in keyof T as Plural<K>]: string };
