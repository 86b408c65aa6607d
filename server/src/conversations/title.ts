const LONGEST = 60;
const segmenter = new Intl.Segmenter();

/** The first words of a question, at most 60 characters, cut at a word where there is one to cut at. */
export function titleOf(question: string): string {
  // Enough for 60 of any characters that people see as one.
  const words = question.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim();
  const characters = [...segmenter.segment(words)].map(({ segment }) => segment);
  if (characters.length <= LONGEST) return words;
  const cut = characters.slice(0, LONGEST - 1).join('');
  const lastSpace = characters[LONGEST - 1] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return `${(lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}
