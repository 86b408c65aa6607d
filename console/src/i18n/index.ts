import type { Language } from '@ai-studio/contract/console/session.ts';
import i18next, { type PostProcessorModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { loadWantedWords } from './load-words.ts';
import { withParticles } from './particles.ts';

/** The words of a language, fetched when it is wanted: a page needs one of them. */
const words = {
  ko: async () => (await import('./ko/index.ts')).ko,
  en: async () => (await import('./en/index.ts')).en,
} as const satisfies Record<Language, () => Promise<object>>;

const particles: PostProcessorModule = {
  type: 'postProcessor',
  name: 'particles',
  process: (text, _key, _options, { language }: { readonly language: string }) =>
    language === 'ko' ? withParticles(text) : text,
};

/** A translator that begins with this language. */
export async function createI18n(language: Language): Promise<i18n> {
  const translator = i18next.createInstance();
  await translator
    .use(initReactI18next)
    .use(particles)
    .init({
      lng: language,
      resources: { [language]: await words[language]() },
      defaultNS: 'common',
      postProcess: 'particles',
      // React escapes.
      interpolation: { escapeValue: false },
    });
  return translator;
}

/** Changes the language once its words are here. */
export async function switchLanguage(translator: i18n, language: Language): Promise<void> {
  if (!translator.hasResourceBundle(language, 'common')) {
    for (const [namespace, bundle] of Object.entries(await words[language]()))
      translator.addResourceBundle(language, namespace, bundle, true);
  }
  // The page that is shown goes on in the other language.
  await loadWantedWords(translator, language);
  await translator.changeLanguage(language);
}
