import { replies } from './replies.ts';
import { type Rule, asked, say } from './rule.ts';

/** Greetings, thanks and farewells. */
export const smallTalk: Rule = (conversation) => {
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

/** What the engine is and can do. */
export const introduce: Rule = (conversation) => {
  const question = asked(conversation);
  const says = replies[conversation.language];
  if (
    /(?:뭘|무엇을|무슨 일을|어떤 일을|뭐) ?(?:할 수|도와|잘 ?해)|(?:할 수 있는|가능한) (?:일|것|기능)(?:이|은|을)? ?(?:뭐|무엇|어떤|알려)|\bwhat (?:can|do) you (?:do|help)\b|\bwhat are you able\b|\byour (?:capabilities|abilities)\b|\bhow can you help\b/i.test(
      question,
    )
  )
    return say('identity', says.abilities);
  if (
    /(?:너는?|넌|당신은?|네가|자네는?) ?(?:누구|뭐야|뭐니|무엇|어떤 (?:모델|ai|엔진))|누구세요|누구십니까|^(?:먼저 |간단히 |간단하게 )?자기 ?소개(?!서)|^(?:네|너의|당신의|니)? ?이름이 뭐(?:야|니|에요|예요|죠)\??$|\bwho are you\b|\bwhat are you\b(?!\s+\w+ing)|\bintroduce yourself\b|\babout yourself\b|\bwhat(?:'s| is) your name\b|\bare you (?:an? )?(?:ai|bot|human|robot|language model|gpt|chatgpt)\b|\b(?:what|which) (?:language )?(?:model|llm) are you\b|어떤 모델이|무슨 모델이/i.test(
      question,
    ) &&
    !/내 ?이름|제 ?이름|my name/i.test(question)
  )
    return say('identity', says.identity);
  return null;
};

/** The date and the time of day. */
export const clock: Rule = (conversation, now) => {
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
