import { replies } from './replies.ts';
import { MAX_QUESTION, type Rule, asked, say } from './rule.ts';

const NAMES: readonly RegExp[] = [
  /\bmy name(?:'s| is)\s+([\p{L}][\p{L}'’-]{0,40}(?:\s\p{Lu}[\p{L}'’-]{0,40}){0,3})/iu,
  /\bcall me\s+([\p{L}][\p{L}'’-]{0,40})/iu,
  /\bI(?:'m| am)\s+(\p{Lu}[\p{L}'’-]{0,40}(?:\s\p{Lu}[\p{L}'’-]{0,40}){0,2})(?=[\s,.!]|$)/u,
  /(?:내|제|나의|저의) ?이름은\s+["'“‘]?([가-힣A-Za-z]{1,20}?)["'”’]?(?:입니다|이에요|예요|이야|야|라고|이고|이며|이라고|다|[.,!]|\s|$)/,
  /(?:저는|나는|난|전)\s+([가-힣]{2,5}?)(?:입니다|이에요|예요|이야|라고 ?(?:해|합|불)|이라고 ?(?:해|합|불))/,
];

const nameIn = (text: string): string | null => {
  for (const pattern of NAMES) {
    const name = pattern.exec(text.slice(0, MAX_QUESTION))?.[1];
    if (name !== undefined) return name;
  }
  return null;
};

/** What was said before in the conversation: names, questions, answers. */
export const remember: Rule = (conversation) => {
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
