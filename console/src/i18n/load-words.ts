import type { Language } from '@ai-studio/contract/console/session.ts';
import type { i18n } from 'i18next';
import { type LazyNamespace, lazyNamespaces } from './lazy.ts';

/** What a translator has been given, beside what it began with. */
interface Given {
  /** Words that are there. */
  readonly loaded: Set<`${Language}/${LazyNamespace}`>;
  /** Namespaces that something has asked for, in whatever language: also those that are still being fetched. */
  readonly wanted: Set<LazyNamespace>;
}
/** By the words of translators, which the hooks of React have in common with the translator that they stand for. */
const given = new WeakMap<i18n['store'], Given>();

const givenTo = ({ store }: i18n): Given => {
  const known = given.get(store) ?? { loaded: new Set(), wanted: new Set() };
  given.set(store, known);
  return known;
};

/** Gives a translator the words of some pages in a language; resolves once they are there. Rejects where they cannot be fetched. */
export async function loadWords(
  translator: i18n,
  language: Language,
  namespaces: readonly LazyNamespace[],
): Promise<void> {
  const { loaded, wanted } = givenTo(translator);
  for (const namespace of namespaces) wanted.add(namespace);
  await Promise.all(
    namespaces.map(async (namespace) => {
      if (loaded.has(`${language}/${namespace}`)) return;
      // Its title is there already.
      translator.addResourceBundle(language, namespace, await lazyNamespaces[namespace][language](), true, true);
      loaded.add(`${language}/${namespace}`);
    }),
  );
}

/** The language that a translator speaks now. */
const spoken = (translator: i18n): Language => (translator.language === 'ko' ? 'ko' : 'en');

/** The same in the language that the translator speaks once they are there, which may have changed meanwhile. */
export async function loadSpokenWords(translator: i18n, namespaces: readonly LazyNamespace[]): Promise<void> {
  const language = spoken(translator);
  await loadWords(translator, language, namespaces);
  if (spoken(translator) !== language) await loadSpokenWords(translator, namespaces);
}

/** Gives a translator, in another language, all words that have been asked for, also while those are fetched. */
export async function loadWantedWords(translator: i18n, language: Language): Promise<void> {
  const missing = [...givenTo(translator).wanted].filter((namespace) => !isLoaded(translator, language, namespace));
  if (missing.length === 0) return;
  await loadWords(translator, language, missing);
  await loadWantedWords(translator, language);
}

/** Whether a translator has the words of a page in a language. */
export const isLoaded = (translator: i18n, language: Language, namespace: LazyNamespace): boolean =>
  givenTo(translator).loaded.has(`${language}/${namespace}`);
