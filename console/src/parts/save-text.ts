/** Saves a file of the person; it goes to no server. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Saves a text as a file of the person. */
export const saveText = (name: string, text: string, type: 'text/csv' | 'text/plain'): void =>
  saveFile(name, new Blob([text], { type: `${type};charset=utf-8` }));
