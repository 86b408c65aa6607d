/** The line that begins a mail of a mailbox: who sent it, and when. Source: RFC 4155, appendix A. */
const separator = /^From [^\r\n]{1,500}\d{4}[^\r\n]{0,40}\r?\n/;
/** What follows it in each mail; sentences that begin so go on otherwise. */
const field = /^(?:[\w-]{1,76}:|>?From )/;
/** Bytes of the longest separator. */
const HEAD_BYTES = 700;

/** Whether a mail begins there: in a mailbox an empty line stands before each but the first. */
function beginsAt(all: Buffer, at: number): number | null {
  const head = all.toString('latin1', at, at + HEAD_BYTES);
  const [line] = separator.exec(head) ?? [];
  return line !== undefined && field.test(head.slice(line.length)) ? at + line.length : null;
}

const isBlankBefore = (all: Buffer, at: number): boolean =>
  all[at - 1] === 10 && (all[at - 2] === 10 || (all[at - 2] === 13 && all[at - 3] === 10));

/** A line that begins like a separator has a sign before it. */
function unquoted(mail: Buffer): Buffer {
  if (!mail.includes('\n>From ') && !mail.includes('\n>>')) return mail;
  return Buffer.from(mail.toString('latin1').replaceAll(/^>(?=>*From )/gmu, ''), 'latin1');
}

/** The mails of a mailbox (mbox) in their order; nothing for what is none. */
export function mailsOf(bytes: Uint8Array): readonly Buffer[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const starts: { readonly at: number; readonly content: number }[] = [];
  for (let at = all.indexOf('From '); at >= 0; at = all.indexOf('\nFrom ', at)) {
    if (at > 0) at++;
    if (at > 0 && starts.length === 0) return [];
    const content = at === 0 || isBlankBefore(all, at) ? beginsAt(all, at) : null;
    if (content !== null) starts.push({ at, content });
    else if (at === 0) return [];
  }
  return starts.map(({ content }, nth) => unquoted(all.subarray(content, starts[nth + 1]?.at ?? all.length)));
}
