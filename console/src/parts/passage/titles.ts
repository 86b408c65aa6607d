/** The titles that a text in Markdown begins with, one below the other. */
export function titlesAtBegin(text: string): ReadonlySet<string> {
  const titles = new Set<string>();
  for (const line of text.split('\n')) {
    const [, title] = /^#{1,6} +(.+)/.exec(line) ?? [];
    if (title !== undefined) titles.add(title.trim());
    else if (line.trim() !== '') break;
  }
  return titles;
}
