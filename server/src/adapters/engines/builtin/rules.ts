import type { Answer } from './answer.ts';
import { calculate, formatNumber } from './arithmetic.ts';
import type { Conversation } from './conversation.ts';
import { replies } from './replies.ts';

/** How much of a question the rules read, in UTF-16 units. */
const MAX_QUESTION = 2_000;
const MAX_SMALL_TALK = 100;

const GREETING =
  /^(?:안녕(?:하세요|하십니까)?|반갑습니다|반가워요?|좋은 (?:아침|하루|저녁|오후)(?:이에요|입니다)?|hi|hello|hey|good (?:morning|afternoon|evening|day))(?: (?:there|all|everyone|여러분|ai studio))?$/;
const THANKS =
  /^(?:정말 |너무 )?(?:감사(?:합니다|해요|드립니다|드려요)?|고마워요?|고맙습니다|thanks?|thank you)(?: .{0,24})?$/;
const ABILITIES =
  /(?:뭘|무엇을|무슨 일을|어떤 일을|뭐) ?(?:할 수|도와|잘 ?해)|\bwhat (?:can|do) you (?:do|help)\b|\bhow can you help\b|\byour (?:capabilities|abilities)\b/i;
const IDENTITY =
  /(?:너는?|넌|당신은?|네가) ?(?:누구|뭐야|뭐니|무엇|어떤 (?:모델|ai|엔진))|누구세요|^자기 ?소개(?!서)|^(?:네|너의|당신의)? ?이름이 뭐|\bwho are you\b|\bwhat are you\b(?!\s+\w+ing)|\bintroduce yourself\b|\bwhat(?:'s| is) your name\b|\bare you (?:an? )?(?:ai|bot|human|robot|language model|gpt|chatgpt)\b|\b(?:what|which) (?:language )?(?:model|llm) are you\b/i;
const TRANSLATE =
  /^번역(?:해|하|좀|\s*[:：]|$)|번역(?:해|하세요|부탁|을 (?:해|부탁))|(?:영어|한국어|일본어|중국어)로 (?:바꿔|옮겨)|\btranslate\b/i;
const WRITES = /(?:요약|정리)(?:해 ?(?:줘|주)|하(?:세요|시오|라))|요약$|^(?:please )?(?:summari[sz]e|rewrite)\b/i;
/** "Say exactly: …" lets whoever tries the interface choose what comes back. */
const ECHO = /^(?:say|repeat) exactly[:：]\s*|^다음을 그대로 출력(?:해 줘|해줘|하세요|해 주세요)?[:：]\s*/i;

const CALCULATES =
  /계산|더하|더한|빼|뺀|곱하|곱한|나누|나눈|[+*×÷=]|\b(?:calculate|compute|plus|minus|times|divided)\b/i;

/** Arithmetic, with its steps. What comes with documents is searched, unless it says itself that it calculates. */
function compute({ question, message, material, language }: Conversation): Answer | null {
  const calculates = CALCULATES.test(question);
  const found = calculate(question) ?? (calculates && message.length <= MAX_QUESTION ? calculate(message) : null);
  if (!found || (material !== '' && !calculates)) return null;
  const says = replies[language];
  const { expression, result, steps } = found;
  const trace = [says.trace.arithmetic(expression), ...steps];
  if (result === 'division_by_zero') return { text: says.divisionByZero(expression), trace, found: true };
  if (result === 'too_large') return { text: says.tooLarge(expression), trace, found: true };
  return { text: `${expression} = ${formatNumber(result)}`, trace, found: true };
}

const MAX_NOTES_LENGTH = 100_000;

/** Notes of earlier steps of an agent, each a question and what was found; null where there are none. */
function notesIn({ message, material }: Conversation): readonly string[] | null {
  if (!message.includes('<notes>') || !material.startsWith('[') || material.length > MAX_NOTES_LENGTH) return null;
  try {
    const notes = JSON.parse(material) as unknown;
    return Array.isArray(notes) && notes.every((note) => typeof note === 'string') ? notes : null;
  } catch {
    return null;
  }
}

/** Puts together what was noted: this engine writes nothing of its own, so that notes are passed on as they are. */
function joinNotes(notes: readonly string[], language: Conversation['language']): Answer {
  const missing: readonly string[] = [replies.ko.missing, replies.en.missing];
  const found = notes.flatMap((note) => {
    const [question = '', ...lines] = note.split('\n');
    const rest = lines.length > 0 ? lines : [question];
    return rest.filter((line) => line.trim() !== '' && !missing.includes(line.trim()));
  });
  const says = replies[language];
  const trace = [says.trace.results(notes.length)];
  const text = [...new Set(found)].join('\n\n');
  return text === '' ? { text: says.missing, trace, found: false } : { text, trace, found: true };
}

/** What one of the rules says to a conversation; null when none is meant. */
export function answerByRule(conversation: Conversation): Answer | null {
  const { language, message } = conversation;
  const says = replies[language];
  const question = conversation.question.slice(0, MAX_QUESTION).trim();
  const say = (text: string, found = true): Answer => ({ text, trace: [says.trace.rule], found });
  const notes = notesIn(conversation);
  if (notes !== null) return joinNotes(notes, language);
  const plain = question
    .toLowerCase()
    .replace(/[!.?~,^ㅎㅋ:)]+/g, ' ')
    .trim();
  const isSmall = message.length <= MAX_SMALL_TALK;
  if (isSmall && GREETING.test(plain)) return say(says.greeting);
  if (isSmall && THANKS.test(plain)) return say(says.thanks);
  if (isSmall && ABILITIES.test(question)) return say(says.abilities);
  if (isSmall && IDENTITY.test(question)) return say(says.identity);
  const echo = ECHO.exec(message);
  if (echo) return say(message.slice(echo[0].length).trim());
  if (TRANSLATE.test(question)) return say(says.translate, false);
  if (WRITES.test(question)) return say(says.unable, false);
  return compute(conversation);
}
