import { isFunctionWord, isHangulWord, stem, words } from './words.ts';

/** A named thing in a text. */
export interface Entity {
  readonly text: string;
  readonly index: number;
}

/** Words of commands and of time, which name nothing. */
const notNames = new Set(
  (
    '오늘 내일 모레 어제 지금 현재 이번 다음 지난 오전 오후 아침 저녁 그리고 그럼 혹시 안녕 부탁 정보 검색 조회 확인 계산 번역 예약 등록 생성 추가 삭제 취소 수정 변경 발송 전송 알림 요약 정리 비교 추천 각각 모두 전부 같이 함께 하고 싶 싶어 해줄래 줄래 볼래 보내 보내줘 보여 보여줘 찾아 찾아줘 찾아봐 켜 켜줘 꺼 꺼줘 틀어 틀어줘 잡아 잡아줘 만들어 만들어줘 바꿔 바꿔줘 어때 어떠 어떤지 있 좀 위한 사이 까지 부터 요일 ' +
    'today tomorrow yesterday now currently current next this last morning evening afternoon night monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december hello hi please thanks what who when where how which is are can could would will do does the a an and or for i me my we you it find search check look get show tell give compare use call using'
  ).split(' '),
);

const QUOTED = /["“「『]([^"”」』\n]{1,200})["”」』]|(?<![\p{L}\d])['‘]([^'’\n]{1,200})['’](?![\p{L}])/gu;

/** Texts in quotation marks. */
export const quotedIn = (text: string): Entity[] =>
  [...text.matchAll(QUOTED)].map((m) => ({ text: m[1] ?? m[2] ?? '', index: m.index }));

const VERB_END = /(?:줘|줘요|주세요|십시오|세요|까|까요|나요|니|야|요|다|해|봐|지|고|려고|래|자|어|아|네)$/;

/** Named things of a text in Korean: nouns, particles cut, that are neither function words nor `known`. */
function koreanNames(text: string, known: ReadonlySet<string>): Entity[] {
  const found: Entity[] = [];
  for (const m of text.matchAll(/[가-힣]{1,24}|[A-Za-z][\w.-]{0,40}(?=[가-힣\s,.?!]|$)/g)) {
    const [word] = m;
    if (!isHangulWord(word)) {
      if (!known.has(stem(word.toLowerCase())) && !notNames.has(word.toLowerCase()))
        found.push({ text: word, index: m.index });
      continue;
    }
    const root = stem(word);
    if (
      root.length < 2 ||
      isFunctionWord(word) ||
      isFunctionWord(root) ||
      notNames.has(root) ||
      notNames.has(word) ||
      known.has(root)
    )
      continue;
    if (root === word && VERB_END.test(word) && word.length > 2) continue;
    if (/(?:해줘|해주|알려|주세요|합니|하세|할까|인가|습니)/.test(word)) continue;
    if (/^\d/.test(text.charAt(m.index - 1))) continue;
    found.push({ text: root, index: m.index });
  }
  return found;
}

const PREPOSITION = /\b(?:in|for|at|of|to|from|near|about|with|around|between|and|,)\s+/gi;
const NAME = String.raw`\p{Lu}[\p{L}\d'’-]*(?:(?:(?<=\b(?:\p{Lu}|St|Dr|Mr|Mrs|Ms))\.\s?|\s|,\s(?=\p{Lu}{2}\b))(?:(?:de|la|of|the|del|van)\s)?\p{Lu}[\p{L}\d'’-]*){0,6}`;

/** Named things of a text in English: capitalised words, and words after a preposition when none is capitalised. */
function englishNames(text: string, known: ReadonlySet<string>): Entity[] {
  const isName = (name: string) =>
    words(name).some((word) => !notNames.has(word) && !isFunctionWord(word) && !known.has(stem(word)));
  const found: Entity[] = [];
  for (const m of text.matchAll(new RegExp(`(?<![\\p{L}\\d])${NAME}`, 'gu'))) {
    // A word that begins a sentence has a capital letter anyway, and commands lend it to the name after them.
    let name = m[0].replace(/[.'’]+$/, '');
    let { index } = m;
    for (
      let first = /^\S+/.exec(name)?.[0];
      first !== undefined && notNames.has(first.toLowerCase().replace(/['’]s$/, ''));
      first = /^\S+/.exec(name)?.[0]
    ) {
      const rest = name.slice(first.length).trimStart();
      index += name.length - rest.length;
      name = rest;
      if (name === '') break;
    }
    name = name.replace(/['’]s$/, '');
    const starts = index === 0 || /[.!?]\s+$/.test(text.slice(Math.max(0, index - 4), index));
    const lower = name.toLowerCase();
    if (
      name === '' ||
      !isName(name) ||
      (starts &&
        !name.includes(' ') &&
        (isFunctionWord(lower) || known.has(stem(lower)) || isVerb(text.slice(index + name.length))))
    )
      continue;
    found.push({ text: name, index });
  }
  if (found.length > 0) return found;
  const after = [...text.matchAll(PREPOSITION)];
  return after.flatMap((m) => {
    const index = m.index + m[0].length;
    const phrase =
      /^(?:the |a |an )?([\p{L}][\p{L}'’-]*(?:\s[\p{L}'’-]+){0,3})/u.exec(text.slice(index, index + 80))?.[1] ?? '';
    const kept: string[] = [];
    for (const word of phrase.split(' ')) {
      const lower = word.toLowerCase();
      if (isFunctionWord(lower) || notNames.has(lower) || known.has(stem(lower))) break;
      kept.push(word);
    }
    return kept.length > 0 ? [{ text: kept.join(' '), index }] : [];
  });
}

/** Whether what follows the first word of a sentence shows that word to be a command: "Book a table". */
const isVerb = (rest: string) => /^\s+(?:a|an|the|my|me|all|some|it|up|on|off|for|\d)\b/i.test(rest);

/** Named things of a text: quoted ones if there are any, else names. Stems in `known` (the tool's own words) are none. */
export function entitiesIn(text: string, known: ReadonlySet<string>): Entity[] {
  const quoted = quotedIn(text);
  if (quoted.length > 0) return quoted;
  const found = /[가-힣]/.test(text) ? koreanNames(text, known) : englishNames(text, known);
  const seen = new Set<string>();
  return found.filter(({ text: name }) => !seen.has(name) && seen.add(name));
}

/** What stands between two things that are named together: "서울과 부산", "Paris, London and Rome". */
const JOINED = /^(?:과|와|하고|랑|이랑|및|,|·|\/|그리고|\s|and|or|또는|vs\.?|&|의|은|는)+$/i;

/** The longest run of things that a text names together. */
export function togetherIn(text: string, entities: readonly Entity[]): Entity[] {
  let best: Entity[] = [];
  let run: Entity[] = [];
  for (const entity of entities) {
    const last = run.at(-1);
    const between = last
      ? text.slice(last.index + last.text.length, entity.index).replace(/["”’'“‘「」『』]/g, '')
      : '';
    const joined =
      last !== undefined &&
      between.trim() !== '' &&
      JOINED.test(between) &&
      /과|와|하고|랑|및|,|·|\/|그리고|and|or|또는|vs|&/i.test(between);
    run = joined ? [...run, entity] : [entity];
    if (run.length > best.length) best = run;
  }
  return best;
}
