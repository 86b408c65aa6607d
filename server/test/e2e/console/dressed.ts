import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Role } from '@ai-studio/contract/console/roles.ts';
import { type Person, seriousFaults } from '../../support/browser.ts';
import { isLong } from '../../support/long.ts';
import { cutOff, strays } from './faults.ts';
import { isAllThere } from './moves.ts';
import { type Studio, addAccount } from './studio.ts';
import type { walked } from './visits.ts';
import { type SpokenLanguage, type Words, words } from './words.ts';

// People who walk through the console, each in a language, a scheme and a width.

/** How the console is seen. */
export interface Dress {
  readonly language: SpokenLanguage;
  readonly scheme: 'light' | 'dark';
  /** 390 pixels, as a phone has them; else 1,440. */
  readonly narrow: boolean;
}

export const nameOf = ({ language, scheme, narrow }: Dress): string =>
  `${language}-${scheme}-${narrow ? '390' : '1440'}`;

const dresses: readonly Dress[] = (['ko', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((scheme) => [false, true].map((narrow) => ({ language, scheme, narrow }))),
);

/** One dress for each walk: any two of language, scheme and width meet in one of them. */
const spread = ['ko-light-1440', 'ko-dark-390', 'en-dark-1440', 'en-light-390', 'en-dark-390'];

/** The dresses of a walk: its own, or all of them. */
export const dressesOf = (walk: number, all: boolean): readonly Dress[] =>
  dresses.filter((dress) => all || nameOf(dress) === spread[walk]);

const viewOf = ({ scheme, narrow, language }: Dress) => ({
  viewport: narrow ? { width: 390, height: 844 } : { width: 1440, height: 900 },
  colorScheme: scheme,
  locale: language === 'ko' ? 'ko-KR' : 'en-GB',
});

/** Somebody who walks. */
export interface Walker extends Person {
  readonly dress: Dress;
  readonly words: Words;
  /**
   * Looks at what is there: nothing keeps people out, nothing is cut off or in the other language. `visit` names the one of visits.ts
   * that shows the same: what keeps people out is held there, and here in the long run alone.
   */
  look(step: string, visit?: (typeof walked)[number]): Promise<void>;
}

/** What people and documents of the walks say, in whatever language. */
const written =
  /^[이박김]$|휴가|이서연|박세무|김하나|경조사|병가|닷새|결혼|구분|손님|예시|Sample|\b[\w-]+\.(?:md|hwpx|pdf)\b|days|Holidays|fifteen|work from home|lost laptop|note\.|Please look|reader/i;

/** Pictures of each step go where this names a folder. */
const shots = process.env['STUDIO_TEST_SHOTS'];

function walkerOf(person: Person, dress: Dress, walk: string): Walker {
  const { page } = person;
  let steps = 0;
  return {
    ...person,
    dress,
    words: words[dress.language],
    async look(step, visit) {
      await isAllThere(page);
      if (shots !== undefined) {
        const folder = join(shots, `${walk}-${nameOf(dress)}`);
        await mkdir(folder, { recursive: true });
        await page.screenshot({ path: join(folder, `${String((steps += 1)).padStart(2, '0')}-${step}.png`) });
      }
      const faults = [
        ...(visit === undefined || isLong ? await seriousFaults(page, null, 'state') : []),
        ...(await cutOff(page)),
        ...(await strays(page, dress.language))
          .filter((text) => !written.test(text))
          .map((text) => `in the other language: ${text}`),
      ];
      expect(faults, `${walk}, ${nameOf(dress)}, ${step}`).toEqual([]);
    },
  };
}

/** Somebody with a browser of their own, who is not signed in. */
export const visitorIn = async (studio: Studio, dress: Dress, walk: string): Promise<Walker> =>
  walkerOf(await studio.browser.person(viewOf(dress)), dress, walk);

/** The person of this address, signed in at the first page. */
export async function walkerIn(studio: Studio, dress: Dress, walk: string, email: string): Promise<Walker> {
  const person = await studio.signedIn(email, viewOf(dress), { language: dress.language, theme: 'system' });
  await person.page.locator(`html[lang=${dress.language}]`).waitFor();
  return walkerOf(person, dress, walk);
}

let people = 0;

/** Somebody new of the tenant, signed in at the first page. */
export async function newcomer(studio: Studio, dress: Dress, walk: string, role: Role): Promise<Walker> {
  const email = `${role}-${(people += 1)}@example.org`;
  await addAccount(studio, { email, name: role === 'user' ? '이서연' : '박세무', role });
  return walkerIn(studio, dress, walk, email);
}

/** Opens a page by the main menu, as a person does. */
export async function goTo({ page, words: said, dress }: Walker, title: string): Promise<void> {
  if (dress.narrow) await page.getByRole('button', { name: said.shell.open_menu }).click();
  await page
    .getByRole('navigation', { name: said.shell.navigation })
    .getByRole('link', { name: title })
    .first()
    .click();
}

export const dialog = (page: Page) => page.getByRole('dialog');
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
