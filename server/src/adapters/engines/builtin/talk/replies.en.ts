import type { Replies } from '../words/sentences.ts';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What the engine says of itself and around what it finds, in English. */
export const en: Replies = {
  greeting: 'Hello! I am the engine built into AI Studio. How can I help?',
  thanks: 'You are welcome. Tell me if there is anything else.',
  farewell: 'Goodbye.',
  identity:
    "I am AI Studio's built-in engine (builtin). I am not a language model but a small engine of rules, without weights. I am here so that the service can be tried before a model is connected.",
  abilities:
    'I am the built-in engine without a language model, but these things I can do:\n- find the answer to a question in documents that you give me, with its source\n- pick the central sentences of a text\n- calculate\n- call tools (functions) and pass on their results\n- fill in JSON by a schema\n- count words and characters, change case, repeat text exactly\nFree conversation, writing and translation need a model to be connected.',
  unable:
    'I am the built-in engine without a language model, so I cannot answer this. Give me a text that holds the answer and I will find it there. For general answers an operator has to connect a model server or download a model.',
  missing: 'The given documents do not contain an answer to this question.',
  images: 'The built-in engine cannot see images. Connect a model that understands images.',
  translate: 'The built-in engine cannot translate. Connect a translation model for that.',
  result: (label) => (label === '' ? 'The tool answered:' : `The result of ${label}:`),
  toolFailed: (label) => (label === '' ? 'The tool reported an error:' : `The tool ${label} reported an error:`),
  emptyResult: 'The tool gave no result.',
  youSaid: (text) => `You said: “${text}”`,
  youSaidAll: 'So far you said:',
  youSaidNothing: 'You have not said anything before in this conversation.',
  iSaid: (text) => `I answered: “${text}”`,
  yourName: (name) => `Your name is ${name}.`,
  nameNoted: (name) => `Nice to meet you, ${name}. I will remember that in this conversation.`,
  noName: 'You have not told me your name.',
  noted: 'Noted. I will keep that in mind in this conversation.',
  today: (date) =>
    `Today is ${weekdays[date.getUTCDay()]}, ${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()} (UTC).`,
  time: (date) => `It is ${date.toISOString().slice(11, 16)} (UTC).`,
  divisionByZero: (expression) => `${expression}: a division by zero has no result.`,
  tooLarge: (expression) => `${expression}: the result is too large to be shown.`,
  words: (count) => `The text has ${counted(count, 'word')}.`,
  characters: (count, without) => `The text has ${counted(count, 'character')}, ${without} without spaces.`,
  lines: (count) => `The text has ${counted(count, 'line')}.`,
  trace: {
    asked: (text) => `The user says: “${text}”`,
    language: 'I answer in English.',
    arithmetic: (expression) => `This is arithmetic. I calculate ${expression} step by step.`,
    searching: (count, concepts) => `I search ${counted(count, 'passage')} of the given text. Key words: ${concepts}`,
    candidate: (mark, score, text) => `- ${mark === '' ? '' : `${mark} `}score ${score}: ${text}`,
    enough: 'The best passage holds enough of what the question asks about, so I answer with it.',
    notEnough: 'No passage holds enough of what the question asks about. I do not make up an answer.',
    tool: (names) => `Tools that fit this: ${names}`,
    results: (count) => `I read ${counted(count, 'tool result')} and answer from there.`,
    skill: (name) => `A rule covers this: ${name}`,
    unable: 'No rule covers this and there is no text to search. I say so.',
    schema: 'I fill in the JSON that was asked for.',
    skills: {
      small_talk: 'small talk',
      identity: 'who I am',
      echo: 'repeat exactly',
      count: 'counting',
      letters: 'letter case',
      lines: 'picking lines',
      memory: 'what was said',
      clock: 'date and time',
      summary: 'central sentences',
      keywords: 'key words',
    },
  },
};
