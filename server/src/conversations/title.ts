const MAX_LENGTH = 60;
const segmenter = new Intl.Segmenter();

/** The first words of a question, at most 60 characters, cut at a word where there is one to cut at. */
export function titleOf(question: string): string {
  // Enough for 60 of any characters that people see as one.
  const words = question.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim();
  const characters = [...segmenter.segment(words)].map(({ segment }) => segment);
  if (characters.length <= MAX_LENGTH) return words;
  const cut = characters.slice(0, MAX_LENGTH - 1).join('');
  const lastSpace = characters[MAX_LENGTH - 1] === ' ' ? cut.length : cut.lastIndexOf(' ');
  return `${(lastSpace > cut.length / 2 ? cut.slice(0, lastSpace) : cut).trimEnd()}…`;
}
