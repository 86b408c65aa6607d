import { quotedIn } from '../words/entities.ts';
import { MAX_QUESTION, type Rule, say } from './rule.ts';

const ECHO_COMMAND =
  /^(?:please\s+)?(?:say|repeat|echo|print|output|write|reply|respond|answer)\b(?:\s+(?:with|back|after me|exactly|only|just|verbatim|this|the|following|text|word|words|phrase|sentence|string|line|and|nothing|else))*\s{0,3}(?:[:：]\s?|(?=["“'‘「]))/i;
const ECHO_EXACT =
  /^(?:please\s+)?(?:say|repeat|echo|print|output|reply with|respond with)\s+(?:exactly|only|verbatim|back|just)\s*[:：]?\s+/i;
const ECHO_KOREAN =
  /(?:그대로|똑같이|따라|반복해서|정확히|다음(?:을|만|과 같이| ?문장을| ?말을)?|이렇게|아래(?:를)?)[^\n:：]{0,30}(?:출력|말|반복|따라|답|써|적어|대답|응답|복창)[^\n:：]{0,20}[:：]\s?/;
const ECHO_KOREAN_QUOTED =
  /["“'‘「][^\n]{1,300}["”'’」]\s?(?:이?라고|을|를|만|이라는 말을|라는 말을)?\s?(?:만|정확히|그대로|똑같이|따라)?\s?(?:말|출력|반복|답|따라|써|대답|응답)(?:해|하)?/;

/** "Say hello", "Reply with the word OK": one word without quotation marks. */
const ONE_WORD =
  /^(?:please\s+)?(?:say|echo|reply with|respond with|answer with)\s+(?:only\s+|just\s+|exactly\s+)?(?:the\s+(?:single\s+)?word\s+)?([\p{L}\d_-]{1,40})(?:\s+(?:only|in one word|and nothing else))?[.!]?$/iu;
const ONE_WORD_KOREAN = /^["“'‘]?([\p{L}\d_!?-]{1,40}?)["”'’]?(?:이?라고)만?\s?(?:말|답|대답|출력|응답)해?/u;
const NO_WORD = /^(?:it|this|that|something|anything|nothing|more|json|markdown|code|text|yes or no)$/i;

/** All of it in quotation marks: these do not belong to it. */
const QUOTED_WHOLE = /^(?:"([^"]+)"|“([^”]+)”|'([^']+)'|‘([^’]+)’|「([^」]+)」)[.!]?$/;

/** "three times": how often, when it is said. */
const TIMES = /(\d{1,2}|two|three|four|five|두|세|네|다섯)\s?(?:times|번)\b|(\d{1,2}|두|세|네|다섯)\s?번/i;
const COUNTS: Readonly<Record<string, number>> = { two: 2, three: 3, four: 4, five: 5, 두: 2, 세: 3, 네: 4, 다섯: 5 };

function repeated(text: string, rest: string): string {
  const told = TIMES.exec(rest.slice(0, 60));
  const name = (told?.[1] ?? told?.[2] ?? '1').toLowerCase();
  return Array.from({ length: Math.max(1, COUNTS[name] ?? Number(name)) }, () => text).join(' ');
}

/** Says again exactly what it is told to say. */
export const echo: Rule = ({ message, question }) => {
  const text = message.trim();
  const head = text.slice(0, MAX_QUESTION);
  const word = (ONE_WORD.exec(head) ?? ONE_WORD_KOREAN.exec(head))?.[1];
  if (word !== undefined && !NO_WORD.test(word)) return say('echo', word);
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
    const whole = QUOTED_WHOLE.exec(rest);
    if (whole) return say('echo', whole.slice(1).find((inner) => inner !== undefined) ?? rest);
    const within =
      pattern === ECHO_COMMAND && !/[:：]\s?$/.test(m[0]) ? quotedIn(rest.slice(0, MAX_QUESTION))[0] : undefined;
    return say('echo', within ? repeated(within.text, rest.slice(within.index + within.text.length)) : rest);
  }
  if (ECHO_KOREAN_QUOTED.test(head) && head.length < 400) {
    const asked = question.slice(0, MAX_QUESTION);
    const quoted = quotedIn(asked)[0];
    if (quoted) return say('echo', repeated(quoted.text, asked.slice(quoted.index + quoted.text.length)));
  }
  return null;
};
