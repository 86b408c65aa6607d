/**
 * Where in a stream a caller is: the number of the last event that it has, or the `q7` of a question, which is told before the event that
 * ends the stream; that is the half before it. Null for what is none.
 */
export function parseStreamPosition(text: string): number | null {
  const [, question, number] = /^(q?)(\d{1,9})$/.exec(text.trim()) ?? [];
  if (number === undefined) return null;
  return question === 'q' ? Math.max(0, Number(number) - 0.5) : Number(number);
}

/** Whether somebody at a place has been told the question of an event. */
export const hasSeenQuestion = (place: number, seq: number): boolean => place > seq - 1;
