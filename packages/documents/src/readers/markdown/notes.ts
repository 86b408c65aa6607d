/** `[^id]: text`, with further lines indented: a note at the foot, which may stand anywhere. */
const definition = /^\[\^([^\]\s]{1,100})\]:[ \t]*(.*)$/;
const fence = /^ {0,3}(?:`{3,}|~{3,})/;

/** Notes at the foot, and the text without them. */
export function takeNotes(text: string): { readonly notes: ReadonlyMap<string, string>; readonly rest: string } {
  if (!text.includes('[^')) return { notes: new Map(), rest: text };
  const notes = new Map<string, string>();
  const rest: string[] = [];
  let note: { readonly id: string; readonly lines: string[] } | null = null;
  /** Empty lines that belong to the note if an indented line follows. */
  let blanks = 0;
  let fenced = false;
  const close = (): void => {
    if (note !== null) notes.set(note.id, note.lines.join('\n'));
    for (; blanks > 0; blanks--) rest.push('');
    note = null;
  };
  for (const line of text.split('\n')) {
    if (note !== null && /^[ \t]+\S/.test(line)) {
      for (; blanks > 0; blanks--) note.lines.push('');
      note.lines.push(line.trimStart());
      continue;
    }
    if (note !== null && line.trim() === '') {
      blanks++;
      continue;
    }
    close();
    const found = fenced ? null : definition.exec(line);
    if (fence.test(line)) fenced = !fenced;
    if (found === null) rest.push(line);
    else note = { id: found[1] ?? '', lines: [found[2] ?? ''] };
  }
  close();
  return { notes, rest: rest.join('\n') };
}
