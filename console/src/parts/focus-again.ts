/** Back to a field whose content was refused, with that content selected: what is typed next takes its place. */
export function focusAgain(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
