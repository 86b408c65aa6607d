import type { Language } from '@ai-studio/contract/console/session.ts';
import type { i18n } from 'i18next';
import { type LazyNamespace, lazyNamespaces } from './lazy.ts';

/** Languages and namespaces that a translator has been given the words of, beside those it began with. */
const loaded = new WeakMap<i18n, Set<`${Language}/${LazyNamespace}`>>();

const loadedOf = (translator: i18n) => {
  const known = loaded.get(translator) ?? new Set();
  loaded.set(translator, known);
  return known;
};

/** Gives a translator the words of some pages in a language; resolves once they are there. Rejects where they cannot be fetched. */
export async function loadWords(
  translator: i18n,
  language: Language,
  namespaces: readonly LazyNamespace[],
): Promise<void> {
  const known = loadedOf(translator);
  await Promise.all(
    namespaces.map(async (namespace) => {
      if (known.has(`${language}/${namespace}`)) return;
      // Its title is there already.
      translator.addResourceBundle(language, namespace, await lazyNamespaces[namespace][language](), true, true);
      known.add(`${language}/${namespace}`);
    }),
  );
}

/** Namespaces whose words a translator has been given, in whatever language. */
export const loadedNamespaces = (translator: i18n): readonly LazyNamespace[] => [
  ...new Set([...loadedOf(translator)].map((place) => place.slice(place.indexOf('/') + 1) as LazyNamespace)),
];

/** Whether a translator has the words of a page in a language. */
export const isLoaded = (translator: i18n, language: Language, namespace: LazyNamespace): boolean =>
  loadedOf(translator).has(`${language}/${namespace}`);
