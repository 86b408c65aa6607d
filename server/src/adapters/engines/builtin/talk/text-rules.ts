import type { Conversation } from '../conversation.ts';
import { quotedIn } from '../words/entities.ts';
import { replies } from './replies.ts';
import { MAX_QUESTION, type Rule, asked, say } from './rule.ts';
import { centralSentences, keyWords } from '../documents/summary.ts';
import { words } from '../words/words.ts';

/** The text that a question about texts means: quoted, after the colon, below it, or said before. */
function subjectOf({ question, material, turns }: Conversation): string | null {
  const head = question.slice(0, MAX_QUESTION);
  const quoted = quotedIn(head)[0]?.text;
  if (quoted !== undefined) return quoted;
  if (material.trim() !== '') return material.trim();
  const colon = /[:：]\s+(?=\S)|[:：](?=[^\s\d/])/.exec(head);
  if (colon) return question.slice(colon.index + colon[0].length).trim();
  return turns.findLast(({ role }) => role === 'user')?.text ?? null;
}

/** What follows "how many words" where the words of the text itself are meant. */
const OF_THE_TEXT =
  /^\s*(?:are|is|does|do|has|have)?\s*(?:there\b)?\s*(?:in\b|(?:this|it|the (?:text|passage|document|message|above|following))\b|\W*$)/i;

/** Counts words, characters and lines. */
export const count: Rule = (conversation) => {
  const question = asked(conversation);
  const wants =
    /how many (words|characters|letters|lines)|count (?:the )?(?:number of )?(words|characters|letters|lines)|(단어|낱말|글자|문자|줄)(?:의)? ?(?:수|개수|갯수)?(?:는|가|이|를|을)? ?(?:몇|세어|세 ?줘|수를|알려|계산)|몇 (단어|글자|줄)|(단어|글자|줄) ?수(?:는|가)?\s*[?？]?$/i.exec(
      question,
    );
  // With documents, "how many words should a summary have" is asked of them.
  if (
    conversation.material !== '' &&
    wants?.[1] !== undefined &&
    !OF_THE_TEXT.test(question.slice(wants.index + wants[0].length))
  )
    return null;
  const text = wants ? subjectOf(conversation) : null;
  if (!wants || text === null) return null;
  const says = replies[conversation.language];
  const what = (wants[1] ?? wants[2] ?? wants[3] ?? wants[4] ?? wants[5] ?? '').toLowerCase();
  if (/word|단어|낱말/.test(what))
    return say('count', says.words(text.split(/\s+/).filter((word) => word !== '').length));
  if (/line|줄/.test(what))
    return say('count', says.lines(text.split('\n').filter((line) => line.trim() !== '').length));
  const characters = Array.from(text);
  return say('count', says.characters(characters.length, characters.filter((c) => c.trim() !== '').length));
};

/** Changes letters to upper or lower case. */
export const letters: Rule = (conversation) => {
  const question = asked(conversation);
  const upper =
    /\b(?:to|in|into) (?:all )?(?:upper[ -]?case|caps|capitals|capital letters)\b|\bupper-?case (?:this|the|it)|\bcapitali[sz]e\b|대문자로/i.test(
      question,
    );
  const lower =
    /\b(?:to|in|into) (?:all )?(?:lower[ -]?case|small letters)\b|\blower-?case (?:this|the|it)|소문자로/i.test(
      question,
    );
  if (!upper && !lower) return null;
  const own =
    /^(?:convert|change|turn|write|put|make)\s+(.{1,500}?)\s+(?:to|in|into)\s+(?:all\s+)?(?:upper|lower|caps|capital|small)/is.exec(
      question,
    )?.[1] ?? /^(.{1,500}?)(?:을|를)\s*(?:모두\s*)?[대소]문자로/s.exec(question)?.[1];
  const generic = own === undefined || /^(?:this|the following|it|the text|다음|이것|아래|이 글)/i.test(own);
  const text = quotedIn(question)[0]?.text ?? (generic ? subjectOf(conversation) : own);
  if (text === null || text === undefined) return null;
  return say('letters', upper ? text.toUpperCase() : text.toLowerCase());
};

/** The first or last lines of a list. */
export const pickLines: Rule = ({ question, material }) => {
  const text = question.slice(0, MAX_QUESTION);
  const first =
    /\b(?:first|top)\s+(\d{1,4})\s+(?:lines?|items?|entries|rows?|elements?|names?)\b|(?:처음|첫|앞|위)(?:에서|의)?\s*(\d{1,4})\s*(?:개|줄|항목|행)/i.exec(
      text,
    );
  const last = first
    ? null
    : /\blast\s+(\d{1,4})\s+(?:lines?|items?|entries|rows?|elements?|names?)\b|(?:마지막|끝|뒤)(?:에서|의)?\s*(\d{1,4})\s*(?:개|줄|항목|행)/i.exec(
        text,
      );
  const found = first ?? last;
  if (!found || material.trim() === '') return null;
  const n = Number(found[1] ?? found[2]);
  const lines = material
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return say('lines', (first ? lines.slice(0, n) : lines.slice(-n)).join('\n'));
};

const koreanNumbers: Readonly<Record<string, number>> = { 한: 1, 두: 2, 세: 3, 네: 4, 다섯: 5 };
const englishNumbers: Readonly<Record<string, number>> = { one: 1, a: 1, two: 2, three: 3, four: 4, five: 5 };
const SUMMARY_SENTENCES = 3;

/** The central sentences, or the key words, of a text. */
export const summarise: Rule = (conversation) => {
  const { material, turns, system } = conversation;
  const question = asked(conversation);
  const keys = /키워드|핵심어|주요 단어|\bkey ?words?\b/i.test(question);
  if (
    !keys &&
    !/요약|간추려|줄여|정리해|핵심(?:만|을| 내용)|\bsummar(?:y|i[sz]e)\b|\btl;?dr\b|\bin short\b|\bmain points?\b|\bkey points?\b/i.test(
      question,
    )
  )
    return null;
  const after = /[:：]\s+(?=\S)/.exec(question);
  const own =
    material.trim() !== '' ? material : after ? conversation.question.slice(after.index + after[0].length) : '';
  const text =
    words(own.slice(0, 4_000)).length > 5
      ? own
      : (turns.findLast(({ role, text: said }) => role === 'user' && said.length > 120)?.text ??
        system.findLast((said) => said.length > 300) ??
        own);
  if (text.trim() === '') return null;
  if (keys)
    return say('keywords', keyWords(text, Number(/(\d{1,2})\s?(?:개|key)/i.exec(question)?.[1] ?? 5)).join(', '));
  const asks =
    /(\d{1,2})\s?(?:문장|줄|sentences?|lines?|points?|bullet)|(한|두|세|네|다섯)\s?(?:문장|줄)|\b(one|a|two|three|four|five) (?:sentence|line|point|bullet)/i.exec(
      question,
    );
  const wanted = Number(
    asks?.[1] ?? koreanNumbers[asks?.[2] ?? ''] ?? englishNumbers[(asks?.[3] ?? '').toLowerCase()] ?? SUMMARY_SENTENCES,
  );
  const bullets = /항목|불릿|개조식|bullet|points?\b|목록/i.test(question);
  const picked = centralSentences(text, Math.max(1, wanted));
  return picked.length === 0
    ? null
    : say('summary', bullets ? picked.map((sentence) => `- ${sentence}`).join('\n') : picked.join(' '));
};
