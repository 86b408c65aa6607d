import type { Page } from 'playwright-core';
import type { Visit } from './visits.ts';
import { type SpokenLanguage, words } from './words.ts';

export const wide = { width: 1280, height: 800 };
/** A phone. */
export const narrow = { width: 390, height: 844 };

/** What reaches over the edge of the window, where nothing lets people scroll to it. */
const cutOffNow = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const edge = document.documentElement.clientWidth;
    const scrolls = (element) => {
      for (let at = element; at !== null; at = at.parentElement)
        if (/auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
      return false;
    };
    const found = document.documentElement.scrollWidth > edge ? ['the page is wider than the window'] : [];
    for (const element of document.querySelectorAll('main *, [role=dialog] *')) {
      const { width, right, left } = element.getBoundingClientRect();
      if (width > 1 && (right > edge + 1 || left < -1) && element.checkVisibility() && !scrolls(element.parentElement))
        found.push(element.tagName + '.' + element.className + ': ' + Math.round(left) + '–' + Math.round(right));
    }
    return found.slice(0, 5);
  })()`);

/** The same once charts have taken the new width. */
export async function cutOff(page: Page): Promise<string[]> {
  for (let left = 20; left > 0; left -= 1) {
    if ((await cutOffNow(page)).length === 0) return [];
    await page.waitForTimeout(50);
  }
  return cutOffNow(page);
}

/** Fields that nothing names but the words that stand in them until somebody writes; axe takes those for a name. */
const namedByPlaceholder = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('input[placeholder], textarea[placeholder]')]
    .filter((field) => field.checkVisibility() && field.labels.length === 0)
    .filter((field) => !['aria-label', 'aria-labelledby', 'title'].some((name) => field.hasAttribute(name)))
    .map(({ placeholder }) => 'a field without a name: ' + placeholder)`);

/** What is wrong with how a page and its fields are named: its window, its heading, its language. */
export async function misnamed(page: Page, visit: Visit, language: SpokenLanguage): Promise<string[]> {
  const title = await page.title();
  const headings = await page.locator('h1').count();
  const lang = await page.locator('html').getAttribute('lang');
  const wanted = visit.title(words[language]);
  return [
    ...(title.endsWith(' · AI Studio') && title.includes(wanted) ? [] : [`title: ${title}, not ${wanted}`]),
    ...(headings === 1 ? [] : [`${headings} headings of level 1`]),
    ...(lang === language ? [] : [`lang: ${lang}`]),
    ...(await namedByPlaceholder(page)),
  ];
}

/**
 * Every text that people read or hear on a page: what is written, labels, placeholders. Code is in no language, what
 * people and models have written is in theirs, and the way to the other language is named in that one.
 */
const textsOf = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const language = document.documentElement.lang;
    const aside = 'code, pre, kbd, canvas, script, style, [role=log], [lang]:not(html):not([lang=' + language + '])';
    const texts = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: parent, data } = walker.currentNode;
      if (parent.checkVisibility() && parent.closest(aside) === null) texts.add(data.trim());
    }
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
      if (!element.checkVisibility() || element.closest(aside + ', [aria-hidden=true]') !== null) continue;
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.add(element.getAttribute(name)?.trim());
    }
    texts.add(document.title);
    return [...texts].filter(Boolean);
  })()`);

/** Data of this test, and names that are the same in every language. */
const names = [
  /^Mozilla\/.*/g,
  /^[a-z]+(?:, [a-z]+)+$/g,
  /\S+@\S+/g,
  /\bhttps?:\/\/\S+/g,
  /\b[0-9a-f]{8,}\b/g,
  /\/[\w./-]+/g,
  /\b[\w-]+\.(?:gguf|csv|jsonl)\b/g,
  /\b(?:CORE|LLM42|RAG42|builtin)\S*/g,
  // Notices that a licence asks for word by word, and names of models.
  /"(?:Powered by|Built with) [^"]+"/g,
  /^Multilingual E5 [\w ]+$/g,
  // Commands.
  /"npm run studio -- [^"]+"/g,
  // Of the collection: its name, its documents, and what stands in them.
  /\b(?:leave|empty)\.md\b|Rules of the house|Leave, pensions and what else people ask/g,
  /How many days of leave are there\?|Who writes the note\?|Sick leave|\d\. Results of the year|Sales have risen[^|]*/g,
  // Results of nodes, as texts of an agent name them.
  /\b(?:input|search|write)\.(?:text|passages)\b/g,
  // Of the agent.
  /Questions about leave|Answers from the rules of the house|Search the rules|The first one|With pensions/g,
  /Search engine of the intranet|Dana Developer|What are 지방세\?/g,
];
const withoutNames = (text: string) => names.reduce((rest, name) => rest.replaceAll(name, ' '), text);

/** Of people of this test, and the name of a language, which stands in that language. */
const written = /이사용|^이사?$|손님|박세무|세무과|민원 안내|지방세|회의록|^(Language: )?한국어$/;

/** A sentence or a phrase in English: two words or more, one of them written in small letters. */
const english = (text: string) => /(?:\b[A-Za-z]+\b[ ,.:]+)*\b[a-z]{2,}\b[ ,.:]+[A-Za-z]{2,}/.test(withoutNames(text));
const hangul = (text: string) => /\p{Script=Hangul}/u.test(text) && !written.test(text);

/** What stands on a page in the other language. */
export const strays = async (page: Page, language: SpokenLanguage): Promise<string[]> =>
  (await textsOf(page)).filter(language === 'ko' ? english : hangul);
