import agentBuilderEn from '../../../../console/src/i18n/en/agentBuilder.json' with { type: 'json' };
import chatToolsEn from '../../../../console/src/i18n/en/chatTools.json' with { type: 'json' };
import modelsPageEn from '../../../../console/src/i18n/en/modelsPage.json' with { type: 'json' };
import toolsPageEn from '../../../../console/src/i18n/en/toolsPage.json' with { type: 'json' };
import keysPageEn from '../../../../console/src/i18n/en/keysPage.json' with { type: 'json' };
import promptsPageEn from '../../../../console/src/i18n/en/promptsPage.json' with { type: 'json' };
import profilePageEn from '../../../../console/src/i18n/en/profilePage.json' with { type: 'json' };
import batchListEn from '../../../../console/src/i18n/en/batchList.json' with { type: 'json' };
import collectionsPageEn from '../../../../console/src/i18n/en/collectionsPage.json' with { type: 'json' };
import { en } from '../../../../console/src/i18n/en/index.ts';
import agentBuilderKo from '../../../../console/src/i18n/ko/agentBuilder.json' with { type: 'json' };
import chatToolsKo from '../../../../console/src/i18n/ko/chatTools.json' with { type: 'json' };
import modelsPageKo from '../../../../console/src/i18n/ko/modelsPage.json' with { type: 'json' };
import toolsPageKo from '../../../../console/src/i18n/ko/toolsPage.json' with { type: 'json' };
import keysPageKo from '../../../../console/src/i18n/ko/keysPage.json' with { type: 'json' };
import promptsPageKo from '../../../../console/src/i18n/ko/promptsPage.json' with { type: 'json' };
import profilePageKo from '../../../../console/src/i18n/ko/profilePage.json' with { type: 'json' };
import batchListKo from '../../../../console/src/i18n/ko/batchList.json' with { type: 'json' };
import collectionsPageKo from '../../../../console/src/i18n/ko/collectionsPage.json' with { type: 'json' };
import { ko } from '../../../../console/src/i18n/ko/index.ts';

/** What the console says, by language, so that a test finds a button in either; also what comes with its page. */
export const words = {
  ko: {
    ...ko,
    agentBuilder: agentBuilderKo,
    batchList: batchListKo,
    collectionsPage: collectionsPageKo,
    profilePage: profilePageKo,
    modelsPage: modelsPageKo,
    keysPage: keysPageKo,
    toolsPage: toolsPageKo,
    promptsPage: promptsPageKo,
    chatTools: chatToolsKo,
  },
  en: {
    ...en,
    agentBuilder: agentBuilderEn,
    batchList: batchListEn,
    collectionsPage: collectionsPageEn,
    profilePage: profilePageEn,
    modelsPage: modelsPageEn,
    keysPage: keysPageEn,
    toolsPage: toolsPageEn,
    promptsPage: promptsPageEn,
    chatTools: chatToolsEn,
  },
} as const;
export type SpokenLanguage = keyof typeof words;
export type Words = (typeof words)[SpokenLanguage];

/** A text of the console with its values in their places, such as `{{name}}`. */
export const said = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
