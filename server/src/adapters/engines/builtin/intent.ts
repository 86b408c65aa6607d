import type { Answer } from './answer.ts';
import { calculate, showNumber } from './arithmetic.ts';
import type { Conversation } from './conversation.ts';
import { quotedIn } from './entities.ts';
import { replies } from './replies.ts';
import { centralSentences, keyWords } from './summary.ts';
import { words } from './words.ts';

/** How much of a question is looked at to tell what it wants, in UTF-16 units. */
const MOST_QUESTION = 2_000;

type Rule = (conversation: Conversation, now: Date) => Answer | null;

const say = (skill: NonNullable<Answer['skill']>, text: string): Answer => ({ skill, text, trace: [], found: true });
const asked = ({ question }: Conversation) => question.slice(0, MOST_QUESTION).trim();

const smallTalk: Rule = (conversation) => {
  const plain = asked(conversation)
    .toLowerCase()
    .replace(/[!.?~,^ㅎㅋ:)]+/g, ' ')
    .trim();
  const says = replies[conversation.language];
  if (plain.length > 40) return null;
  if (
    /^(?:안녕(?:하세요|하십니까|히 계세요)?|반갑습니다|반가워요?|하이|헬로|좋은 (?:아침|하루|저녁|오후)(?:이에요|입니다)?|처음 뵙겠습니다|hi|hello|hey|hello world|good (?:morning|afternoon|evening|day)|greetings|howdy)(?: (?:there|all|everyone|여러분|반갑습니다|반가워요?|만나서 반갑습니다|nice to meet you|ai studio|assistant))?$/.test(
      plain,
    )
  )
    return say('small_talk', says.greeting);
  if (
    /^(?:정말 |너무 )?(?:감사(?:합니다|해요|드립니다|드려요)?|고마워요?|고맙습니다|땡큐|thanks?|thank you|thx)(?: .{0,24})?$/.test(
      plain,
    )
  )
    return say('small_talk', says.thanks);
  if (
    /^(?:잘 있어요?|안녕히 계세요|안녕히 가세요|잘 가요?|바이|good ?bye|bye|see you|good night)(?: .{0,16})?$/.test(
      plain,
    )
  )
    return say('small_talk', says.farewell);
  return null;
};

const introduce: Rule = (conversation) => {
  const question = asked(conversation);
  const says = replies[conversation.language];
  if (
    /(?:뭘|무엇을|무슨 일을|어떤 일을|뭐) ?(?:할 수|도와|잘 ?해)|(?:할 수 있는|가능한) (?:일|것|기능)(?:이|은|을)? ?(?:뭐|무엇|어떤|알려)|\bwhat (?:can|do) you (?:do|help)\b|\bwhat are you able\b|\byour (?:capabilities|abilities)\b|\bhow can you help\b/i.test(
      question,
    )
  )
    return say('identity', says.abilities);
  if (
    /(?:너는?|넌|당신은?|네가|자네는?) ?(?:누구|뭐야|뭐니|무엇|어떤 (?:모델|ai|엔진))|누구세요|누구십니까|자기 ?소개|이름이 뭐(?:야|니|에요|예요|죠)\??$|\bwho are you\b|\bwhat are you\b(?!\s+\w+ing)|\bintroduce yourself\b|\bwhat(?:'s| is) your name\b|\bare you (?:an? )?(?:ai|bot|human|robot|language model|gpt|chatgpt)\b|\b(?:what|which) (?:language )?(?:model|llm) are you\b|어떤 모델이|무슨 모델이/i.test(
      question,
    ) &&
    !/내 ?이름|제 ?이름|my name/i.test(question)
  )
    return say('identity', says.identity);
  return null;
};

const ECHO_COMMAND =
  /^(?:please\s+)?(?:say|repeat|echo|print|output|write|reply|respond|answer)\b(?:\s+(?:with|back|after me|exactly|only|just|verbatim|this|the|following|text|word|words|phrase|sentence|string|line|and|nothing|else))*\s{0,3}(?:[:：]\s?|(?=["“'‘「]))/i;
const ECHO_EXACT =
  /^(?:please\s+)?(?:say|repeat|echo|print|output|reply with|respond with)\s+(?:exactly|only|verbatim|back|just)\s*[:：]?\s+/i;
const ECHO_KOREAN =
  /(?:그대로|똑같이|따라|반복해서|정확히|다음(?:을|만|과 같이| ?문장을| ?말을)?|이렇게|아래(?:를)?)[^\n:：]{0,30}(?:출력|말|반복|따라|답|써|적어|대답|응답|복창)[^\n:：]{0,20}[:：]\s?/;
const ECHO_KOREAN_QUOTED =
  /["“'‘「][^\n]{1,300}["”'’」]\s?(?:이?라고|을|를|만|이라는 말을|라는 말을)?\s?(?:만|정확히|그대로|똑같이|따라)?\s?(?:말|출력|반복|답|따라|써|대답|응답)(?:해|하)?/;

const echo: Rule = ({ message, question }) => {
  const text = message.trim();
  const head = text.slice(0, MOST_QUESTION);
  for (const pattern of [ECHO_COMMAND, ECHO_EXACT, ECHO_KOREAN]) {
    const m = pattern.exec(head);
    if (
      !m ||
      m.index > 60 ||
      (pattern === ECHO_COMMAND && !/say|repeat|echo|print|output|exactly|only|following/i.test(m[0]))
    )
      continue;
    const rest = text.slice(m.index + m[0].length).trim();
    if (rest === '') return null;
    // Only what is in quotes, when all of it is: Say exactly: "hello".
    const inner =
      /^["“'‘「]([\s\S]{1,100000})["”'’」][.!]?$/.exec(rest)?.[1] ??
      (pattern === ECHO_COMMAND && !/[:：]\s?$/.test(m[0])
        ? quotedIn(rest.slice(0, MOST_QUESTION))[0]?.text
        : undefined);
    return say('echo', inner ?? rest);
  }
  if (ECHO_KOREAN_QUOTED.test(head) && head.length < 400) {
    const quoted = quotedIn(question.slice(0, MOST_QUESTION))[0]?.text;
    if (quoted !== undefined) return say('echo', quoted);
  }
  return null;
};

/** The text that a question about texts means: quoted, after the colon, below it, or said before. */
function subjectOf({ question, material, turns }: Conversation): string | null {
  const head = question.slice(0, MOST_QUESTION);
  const quoted = quotedIn(head)[0]?.text;
  if (quoted !== undefined) return quoted;
  if (material.trim() !== '') return material.trim();
  const colon = /[:：]\s+(?=\S)|[:：](?=[^\s\d/])/.exec(head);
  if (colon) return question.slice(colon.index + colon[0].length).trim();
  return turns.findLast(({ role }) => role === 'user')?.text ?? null;
}

const count: Rule = (conversation) => {
  const question = asked(conversation);
  const wants =
    /how many (words|characters|letters|lines)|count (?:the )?(?:number of )?(words|characters|letters|lines)|(단어|낱말|글자|문자|줄)(?:의)? ?(?:수|개수|갯수)?(?:는|가|이|를|을)? ?(?:몇|세어|세 ?줘|수를|알려|계산)|몇 (단어|글자|줄)|(단어|글자|줄) ?수(?:는|가)?\s*[?？]?$/i.exec(
      question,
    );
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

const letters: Rule = (conversation) => {
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

const pickLines: Rule = ({ question, material }) => {
  const text = question.slice(0, MOST_QUESTION);
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

const NAMES: readonly RegExp[] = [
  /\bmy name(?:'s| is)\s+([\p{L}][\p{L}'’-]{0,40}(?:\s\p{Lu}[\p{L}'’-]{0,40}){0,3})/iu,
  /\bcall me\s+([\p{L}][\p{L}'’-]{0,40})/iu,
  /\bI(?:'m| am)\s+(\p{Lu}[\p{L}'’-]{0,40}(?:\s\p{Lu}[\p{L}'’-]{0,40}){0,2})(?=[\s,.!]|$)/u,
  /(?:내|제|나의|저의) ?이름은\s+["'“‘]?([가-힣A-Za-z]{1,20}?)["'”’]?(?:입니다|이에요|예요|이야|야|라고|이고|이며|이라고|다|[.,!]|\s|$)/,
  /(?:저는|나는|난|전)\s+([가-힣]{2,5}?)(?:입니다|이에요|예요|이야|라고 ?(?:해|합|불)|이라고 ?(?:해|합|불))/,
];

const nameIn = (text: string): string | null => {
  for (const pattern of NAMES) {
    const name = pattern.exec(text.slice(0, MOST_QUESTION))?.[1];
    if (name !== undefined) return name;
  }
  return null;
};

const remember: Rule = (conversation) => {
  const { turns, language } = conversation;
  const question = asked(conversation);
  const says = replies[language];
  const mine = turns.filter(({ role }) => role === 'user');
  const asks = /[?？]|뭐|무엇|뭔|누구|기억|알려|말해|\bwhat\b|\bwho\b|\bremember\b|\btell\b|\bknow\b/i.test(question);
  if (
    asks &&
    /(?:내|제|나의|저의) ?이름|내가 누구|제가 누구|\bmy name\b|\bwho am i\b/i.test(question) &&
    nameIn(question) === null
  ) {
    const name = mine.map(({ text }) => nameIn(text)).findLast((found) => found !== null);
    return say('memory', name ? says.yourName(name) : says.noName);
  }
  if (
    /(?:방금|아까|이전에|처음에|앞에서|지금까지)?.{0,12}(?:내가|제가).{0,16}(?:뭐라고|무슨 말|무엇을|뭘|뭐).{0,12}(?:했|말|물|질문|얘기)|\bwhat (?:did|have) i (?:just )?(?:say|said|ask|asked|tell|told|write|written)\b|\bwhat was my (?:last|first|previous) (?:question|message)\b/i.test(
      question,
    )
  ) {
    if (mine.length === 0) return say('memory', says.youSaidNothing);
    const first = /처음|\bfirst\b/i.test(question);
    if (/지금까지|모두|전부|\beverything\b|\bso far\b|\ball\b/i.test(question) && mine.length > 1)
      return say(
        'memory',
        [says.youSaidAll, ...mine.slice(-20).map(({ text }) => `- ${text.slice(0, 400)}`)].join('\n'),
      );
    return say('memory', says.youSaid(((first ? mine[0] : mine.at(-1))?.text ?? '').slice(0, 2_000)));
  }
  if (
    /(?:네가|너는|넌|당신이|당신은).{0,16}(?:뭐라고|무슨 말).{0,12}(?:했|말|답)|\bwhat did you (?:just )?(?:say|answer|tell)\b/i.test(
      question,
    )
  ) {
    const yours = turns.findLast(({ role }) => role === 'assistant');
    if (yours) return say('memory', says.iSaid(yours.text.slice(0, 2_000)));
  }
  const name = nameIn(question);
  return name !== null && question.length < 80 && !/[?？]/.test(question) ? say('memory', says.nameNoted(name)) : null;
};

const clock: Rule = (conversation, now) => {
  const question = asked(conversation);
  if (question.length > 80 || conversation.material !== '') return null;
  const says = replies[conversation.language];
  if (
    /오늘(?:의|은|이)?\s*(?:날짜|며칠|몇 ?월|무슨 ?요일)|(?:날짜|요일)(?:가|이|를|은|는)?\s*(?:뭐|알려|언제|어떻게|무슨)|\b(?:today'?s|current) date\b|\bwhat(?:'s| is) the date\b|\bwhat day is (?:it|today)\b|\bwhat(?:'s| is) today\b|\bdate (?:is it )?today\b/i.test(
      question,
    )
  )
    return say('clock', says.today(now));
  if (
    /(?:지금|현재)(?:은|이)?\s*(?:몇 ?시|시각|시간)|^몇 ?시(?:야|에요|예요|인가요|입니까)|\bwhat time is it\b|\bcurrent time\b|\bwhat(?:'s| is) the time\b/i.test(
      question,
    )
  )
    return say('clock', says.time(now));
  return null;
};

const compute: Rule = ({ question, message, material, language }) => {
  if (material.length > 400) return null;
  const found = calculate(question) ?? (message.length <= MOST_QUESTION ? calculate(message) : null);
  if (!found) return null;
  const says = replies[language];
  const { expression, result, steps } = found;
  const trace = [says.trace.arithmetic(expression), ...steps];
  if (result === 'division_by_zero') return { text: says.divisionByZero(expression), trace, found: true };
  if (result === 'too_large') return { text: says.tooLarge(expression), trace, found: true };
  return { text: `${expression} = ${showNumber(result)}`, trace, found: true };
};

const koreanNumbers: Readonly<Record<string, number>> = { 한: 1, 두: 2, 세: 3, 네: 4, 다섯: 5 };
const englishNumbers: Readonly<Record<string, number>> = { one: 1, a: 1, two: 2, three: 3, four: 4, five: 5 };
const SUMMARY_SENTENCES = 3;

const summarise: Rule = (conversation) => {
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

/** Rules in the order of their claim. Those before the search of the documents are about the message itself. */
const rules: readonly Rule[] = [
  smallTalk,
  echo,
  remember,
  introduce,
  count,
  letters,
  pickLines,
  summarise,
  clock,
  compute,
];

/** What one of the rules says to a conversation; null when none is meant. */
export function byRule(conversation: Conversation, now: Date): Answer | null {
  for (const rule of rules) {
    const answer = rule(conversation, now);
    if (answer) return answer;
  }
  return null;
}
